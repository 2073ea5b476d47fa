package io.tidemill.connectors.kafka;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Splits a limit of offsets over partitions. Spark 4.2: {@code KafkaMicroBatchStream.rateLimit}.
 */
final class RateLimit {
  private RateLimit() {}

  /**
   * Ends of a batch of about {@code limit} offsets: each partition gets its share by size, rounded
   * down, but at least one offset if it has any. So the total may be somewhat over or under.
   *
   * @param from where the batch starts, for every partition of {@code latest}
   * @param latest no further than this
   */
  static PartitionOffsets ends(long limit, PartitionOffsets from, PartitionOffsets latest) {
    double total = 0;
    for (Map.Entry<TopicPartition, Long> entry : latest.map().entrySet()) {
      total += Math.max(0, size(from, entry));
    }
    if (total < 1) {
      return latest;
    }
    NavigableMap<TopicPartition, Long> ends = new TreeMap<>(PartitionOffsets.ORDER);
    for (Map.Entry<TopicPartition, Long> entry : latest.map().entrySet()) {
      long size = size(from, entry);
      long end = entry.getValue();
      if (size > 0) {
        double share = limit * (size / total);
        long offsets = (long) (share < 1 ? Math.ceil(share) : Math.floor(share));
        // The sum may overflow where the share is no limit at all.
        end = offsets >= size ? end : end - size + offsets;
      }
      ends.put(entry.getKey(), end);
    }
    return new PartitionOffsets(ends);
  }

  private static long size(PartitionOffsets from, Map.Entry<TopicPartition, Long> end) {
    return end.getValue() - from.find(end.getKey()).orElse(end.getValue());
  }
}

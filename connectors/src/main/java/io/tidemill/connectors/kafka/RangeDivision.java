package io.tidemill.connectors.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Divides the ranges of a batch so that more tasks can read them. Spark 4.2: {@code
 * KafkaOffsetRangeCalculator}.
 *
 * @param maxRecordsPerPartition no range is larger than this
 * @param minPartitions about how many ranges there should be at least
 */
record RangeDivision(OptionalLong maxRecordsPerPartition, OptionalLong minPartitions) {
  /** Ranges in the given order, empty ones left out. */
  List<KafkaRange> divide(List<KafkaRange> ranges) {
    List<KafkaRange> divided = new ArrayList<>();
    for (KafkaRange range : ranges) {
      if (range.size() > 0) {
        long max = maxRecordsPerPartition.orElse(range.size());
        divided.addAll(parts(range, (range.size() + max - 1) / max));
      }
    }
    if (minPartitions.isEmpty() || minPartitions.getAsLong() <= divided.size()) {
      return divided;
    }
    return spread(divided, minPartitions.getAsLong());
  }

  /**
   * Ranges too small to be divided leave the pool first, so that they do not count in the shares of
   * the others.
   */
  private static List<KafkaRange> spread(List<KafkaRange> ranges, long wanted) {
    long total = ranges.stream().mapToLong(KafkaRange::size).sum();
    List<KafkaRange> whole =
        ranges.stream().filter(r -> count(r.size(), total, wanted) == 1).toList();
    long rest = total - whole.stream().mapToLong(KafkaRange::size).sum();
    long wantedOfRest = Math.max(wanted - whole.size(), 1);
    List<KafkaRange> result = new ArrayList<>();
    for (KafkaRange range : ranges) {
      boolean stays = whole.contains(range);
      result.addAll(parts(range, stays ? 1 : count(range.size(), rest, wantedOfRest)));
    }
    return result;
  }

  private static long count(long size, long total, long wanted) {
    return Math.max(Math.round((double) size / total * wanted), 1);
  }

  /** Parts of nearly equal size; the last ones take what does not divide evenly. */
  private static List<KafkaRange> parts(KafkaRange range, long count) {
    List<KafkaRange> parts = new ArrayList<>();
    long start = range.from();
    for (long i = 0; i < count; i++) {
      long size = (range.until() - start) / (count - i);
      if (size > 0) {
        parts.add(new KafkaRange(range.topic(), range.partition(), start, start + size));
        start += size;
      }
    }
    return parts;
  }
}

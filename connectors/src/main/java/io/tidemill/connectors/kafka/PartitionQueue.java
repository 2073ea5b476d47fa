package io.tidemill.connectors.kafka;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Records of one partition that were fetched and not read yet, and the ranges to read of it. */
final class PartitionQueue {
  private static final long NOWHERE = -1;

  private final TopicPartition partition;
  private final Deque<KafkaRange> ranges = new ArrayDeque<>();
  private final Deque<List<ConsumerRecord<byte[], byte[]>>> fetched = new ArrayDeque<>();
  private KafkaRange range;
  private int taken; // of the first list in fetched
  private int waiting;
  private long position = NOWHERE; // everything before it was read
  private long fetchedTo = NOWHERE; // everything before it was read or is in fetched
  private boolean paused;

  PartitionQueue(TopicPartition partition) {
    this.partition = partition;
  }

  TopicPartition partition() {
    return partition;
  }

  KafkaRange range() {
    return range;
  }

  int waiting() {
    return waiting;
  }

  void forgetRanges() {
    ranges.clear();
    paused = false;
  }

  void add(KafkaRange next) {
    ranges.add(next);
  }

  boolean nextRange() {
    range = ranges.poll();
    return range != null;
  }

  boolean mustSeek() {
    return position != range.from();
  }

  /** The consumer was moved to the start of the range. */
  void restart() {
    fetched.clear();
    taken = 0;
    waiting = 0;
    position = range.from();
    fetchedTo = position;
  }

  void add(List<ConsumerRecord<byte[], byte[]>> records) {
    fetched.add(records);
    waiting += records.size();
  }

  /** Takes note of how far the consumer is, also past gaps. Says whether that is new. */
  boolean reached(long offset) {
    boolean moved = offset != fetchedTo;
    fetchedTo = offset;
    return moved;
  }

  /** Whether there are {@code max} records, or all that the range still has. */
  boolean hasPiece(int max) {
    return waiting >= max || fetchedTo >= range.until();
  }

  /** Up to {@code max} records of the range. */
  List<ConsumerRecord<byte[], byte[]>> take(int max) {
    List<ConsumerRecord<byte[], byte[]>> piece = new ArrayList<>(Math.min(max, waiting));
    while (piece.size() < max && !fetched.isEmpty()) {
      List<ConsumerRecord<byte[], byte[]>> first = fetched.peek();
      ConsumerRecord<byte[], byte[]> record = first.get(taken);
      if (record.offset() >= range.until()) {
        position = range.until();
        return piece;
      }
      piece.add(record);
      position = record.offset() + 1;
      waiting--;
      if (++taken == first.size()) {
        fetched.poll();
        taken = 0;
      }
    }
    if (fetched.isEmpty() && fetchedTo >= range.until()) {
      position = Math.max(position, range.until());
    }
    return piece;
  }

  boolean rangeIsRead() {
    return position >= range.until();
  }

  void pauseIn(Consumer<?, ?> consumer) {
    if (!paused) {
      consumer.pause(Set.of(partition));
      paused = true;
    }
  }

  void resumeIn(Consumer<?, ?> consumer) {
    if (paused) {
      consumer.resume(Set.of(partition));
      paused = false;
    }
  }
}

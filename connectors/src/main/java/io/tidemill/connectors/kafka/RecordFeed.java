package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads ranges with one consumer, in pieces of one partition each. Partitions take turns by number
 * of records, never by what arrives first, so the same ranges give the same records in the same
 * order. Records fetched beyond the ranges are kept for the next ones. Used by one thread.
 *
 * <p>Errors: {@code DATA_LOSS} if records of a range are gone, {@code SOURCE_UNAVAILABLE} if they
 * do not come in time.
 */
final class RecordFeed implements AutoCloseable {
  /** Beyond this a partition that runs ahead of the others is paused. */
  private static final int WAITING_RECORDS_MAX = 16_384;

  /** One poll waits no longer, so that a change of the wish to stop is seen. */
  private static final Duration POLL = Duration.ofMillis(500);

  private final SourceSettings settings;
  private final Consumer<byte[], byte[]> consumer;
  private Map<TopicPartition, PartitionQueue> queues = new HashMap<>();
  private List<PartitionQueue> turns = new ArrayList<>();
  private int turn;
  private long outOfRange;
  private long lost;

  RecordFeed(SourceSettings settings, Consumer<byte[], byte[]> consumer) {
    this.settings = settings;
    this.consumer = consumer;
  }

  /** Starts on new ranges. Whatever is left of the ones before is given up. */
  void open(List<KafkaRange> ranges) {
    Map<TopicPartition, PartitionQueue> wanted = new LinkedHashMap<>();
    for (KafkaRange range : ranges) {
      TopicPartition partition = range.topicPartition();
      wanted.computeIfAbsent(
          partition, p -> queues.containsKey(p) ? queues.get(p) : new PartitionQueue(p));
    }
    if (!wanted.keySet().equals(consumer.assignment())) {
      consumer.assign(wanted.keySet());
    }
    consumer.resume(consumer.paused());
    queues = wanted;
    queues.values().forEach(PartitionQueue::forgetRanges);
    ranges.forEach(range -> queues.get(range.topicPartition()).add(range));
    turns = new ArrayList<>(queues.values());
    turns.removeIf(queue -> !startNext(queue));
    turn = 0;
    outOfRange = 0;
    lost = 0;
  }

  /** Gives up what was fetched beyond the ranges, as it was decoded for other columns. */
  void forget() {
    queues = new HashMap<>();
    turns = new ArrayList<>();
  }

  /** The next piece, at most {@code max} records of one partition; empty when all are read. */
  List<ConsumerRecord<byte[], byte[]>> next(int max) {
    while (!turns.isEmpty()) {
      PartitionQueue queue = turns.get(turn);
      long waitedFrom = System.nanoTime();
      while (!queue.hasPiece(max)) {
        if (poll(queue)) {
          waitedFrom = System.nanoTime();
        } else if (System.nanoTime() - waitedFrom > settings.pollTimeout().toNanos()) {
          throw late(queue);
        }
      }
      List<ConsumerRecord<byte[], byte[]>> piece = queue.take(max);
      if (queue.rangeIsRead() && !startNext(queue)) {
        turns.remove(turn);
      } else if (!piece.isEmpty()) {
        turn++;
      }
      turn = turn >= turns.size() ? 0 : turn;
      if (!piece.isEmpty()) {
        return piece;
      }
    }
    return List.of();
  }

  private boolean startNext(PartitionQueue queue) {
    if (!queue.nextRange()) {
      return false;
    }
    if (queue.mustSeek()) {
      consumer.seek(queue.partition(), queue.range().from());
      queue.restart();
    }
    return true;
  }

  /** Fetches, and says whether anything moved. */
  private boolean poll(PartitionQueue waitedFor) {
    waitedFor.resumeIn(consumer);
    ConsumerRecords<byte[], byte[]> records;
    try {
      records = consumer.poll(POLL);
    } catch (OffsetOutOfRangeException e) {
      e.offsetOutOfRangePartitions().forEach((p, offset) -> skipLost(queues.get(p), offset, e));
      return true;
    } catch (InterruptException e) {
      throw ClientErrors.interrupted(e);
    } catch (KafkaException e) {
      throw ClientErrors.of(settings, e);
    }
    boolean moved = !records.isEmpty();
    for (TopicPartition partition : records.partitions()) {
      PartitionQueue queue = queues.get(partition);
      queue.add(records.records(partition));
      if (queue != waitedFor && queue.waiting() > WAITING_RECORDS_MAX) {
        queue.pauseIn(consumer);
      }
    }
    for (PartitionQueue queue : turns) {
      moved |= queue.reached(consumer.position(queue.partition()));
    }
    return moved;
  }

  /** Goes on behind records that are gone, if the user allows it. */
  private void skipLost(PartitionQueue queue, long offset, OffsetOutOfRangeException cause) {
    KafkaRange range = queue.range();
    Set<TopicPartition> partition = Set.of(queue.partition());
    long earliest = consumer.beginningOffsets(partition).get(queue.partition());
    if (settings.failOnDataLoss()) {
      throw new TidemillException(
              ErrorCode.DATA_LOSS,
              "Records that this batch should read are gone from Kafka: their retention is over or"
                  + " the topic was created anew. With failOnDataLoss = 'false' the query goes on"
                  + " behind them.",
              cause)
          .with("partition", queue.partition())
          .with("offset", offset)
          .with("until", range.until())
          .with("earliest", earliest);
    }
    long to = earliest > offset && earliest < range.until() ? earliest : range.until();
    outOfRange++;
    lost += to - offset;
    consumer.seek(queue.partition(), to);
    queue.reached(to);
  }

  private TidemillException late(PartitionQueue queue) {
    return new TidemillException(
            ErrorCode.SOURCE_UNAVAILABLE,
            "Kafka did not deliver records in time: check its brokers, or raise"
                + " kafkaConsumer.pollTimeoutMs.")
        .with("servers", settings.servers())
        .with("partition", queue.partition())
        .with("until", queue.range().until())
        .with("timeoutMillis", settings.pollTimeout().toMillis());
  }

  /** Ranges that had lost records, and about how many; since {@link #open}. */
  Map<String, Long> losses() {
    return outOfRange == 0 ? Map.of() : Map.of("offsetOutOfRange", outOfRange, "dataLoss", lost);
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}

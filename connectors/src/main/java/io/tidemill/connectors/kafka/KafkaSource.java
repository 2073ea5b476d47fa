package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Source;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans batches over Kafka partitions. Spark 4.2: reference sections 1.3 to 1.5. */
final class KafkaSource implements Source {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSource.class);

  /** A ceiling is looked after no more often: to ask the broker takes as long as a small batch. */
  private static final long CHECK_EVERY_MILLIS = 1_000;

  private final SourceSettings settings;
  private final KafkaCluster cluster;
  private long lastBatchMillis;
  private OptionalLong checkedAtMillis = OptionalLong.empty();
  private boolean latestIsFresh;

  /** Topics created anew that the log has told of. */
  private final Set<String> saidAnew = new TreeSet<>();

  KafkaSource(SourceSettings settings) {
    this.settings = settings;
    this.cluster = new KafkaCluster(settings);
  }

  @Override
  public SourcePosition initial() {
    KafkaCluster.Topics topics = cluster.topics(Set.of());
    PartitionOffsets start = settings.starting().resolve(cluster, topics.partitions());
    return new KafkaPosition(start, topics.ids()).position();
  }

  @Override
  public SourcePosition latest(SourcePosition known) {
    KafkaPosition seen = KafkaPosition.of(known);
    KafkaPosition latest = latestOf(seen).after(seen);
    latestIsFresh = true;
    return latest.position();
  }

  /**
   * The ends now. A broker that has just become leader may not know all partitions and the newest
   * offsets yet (KAFKA-7703), and one that lags may still know a topic that was deleted, so what
   * has shrunk or is another topic is asked for again.
   */
  private KafkaPosition latestOf(KafkaPosition seen) {
    KafkaPosition latest = cluster.latest(seen.offsets().partitions());
    for (int tries = 1; tries < settings.offsetTries() && isOdd(latest, seen); tries++) {
      cluster.pause();
      latest = cluster.latest(seen.offsets().partitions());
    }
    return latest;
  }

  private static boolean isOdd(KafkaPosition latest, KafkaPosition seen) {
    return hasShrunk(latest.offsets(), seen.offsets()) || !latest.createdAnewSince(seen).isEmpty();
  }

  private static boolean hasShrunk(PartitionOffsets latest, PartitionOffsets seen) {
    return seen.map().entrySet().stream()
        .anyMatch(e -> latest.find(e.getKey()).orElse(-1) < e.getValue());
  }

  @Override
  public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    KafkaPosition newest = KafkaPosition.of(latest);
    if (!latestIsFresh && isCheckDue(nowMillis)) {
      checkStillThere(newest);
      checkedAtMillis = OptionalLong.of(nowMillis);
    }
    latestIsFresh = false;
    PartitionOffsets ceiling = newest.offsets();
    PartitionOffsets known = withoutCreatedAnew(KafkaPosition.of(from), newest).offsets();
    if (limits) {
      Optional<Long> wait = waitMillis(known, ceiling, nowMillis);
      if (wait.isPresent()) {
        return new Range(from, List.of(), 0, wait);
      }
    }
    checkNoneVanished(known, ceiling);
    PartitionOffsets start = withNewPartitions(known, ceiling);
    PartitionOffsets end =
        limits && settings.maxOffsetsPerTrigger().isPresent()
            ? RateLimit.ends(settings.maxOffsetsPerTrigger().getAsLong(), start, ceiling)
            : ceiling;
    List<KafkaRange> ranges = ranges(start, end);
    List<SourceSplit> splits =
        settings.division().divide(ranges).stream().map(KafkaRange::split).toList();
    long rows = splits.stream().mapToLong(SourceSplit::estimatedRows).sum();
    SourcePosition reached = new KafkaPosition(end, newest.ids()).position();
    return new Range(reached, splits, rows, Optional.empty());
  }

  /** How long a batch still waits for more offsets, or empty if it should run. */
  private Optional<Long> waitMillis(PartitionOffsets from, PartitionOffsets latest, long now) {
    if (settings.minOffsetsPerTrigger().isEmpty()) {
      return Optional.empty();
    }
    long left = settings.maxTriggerDelay().toMillis() - (now - lastBatchMillis);
    long available =
        latest.map().entrySet().stream()
            .mapToLong(e -> e.getValue() - from.find(e.getKey()).orElse(0))
            .sum();
    if (left <= 0 || available >= settings.minOffsetsPerTrigger().getAsLong()) {
      lastBatchMillis = now;
      return Optional.empty();
    }
    return Optional.of(left);
  }

  private boolean isCheckDue(long nowMillis) {
    return checkedAtMillis.isEmpty()
        || Math.abs(nowMillis - checkedAtMillis.getAsLong()) >= CHECK_EVERY_MILLIS;
  }

  /** A ceiling fixed at the start of a run may lose its ground while the run goes on. */
  private void checkStillThere(KafkaPosition ceiling) {
    KafkaPosition now = latestOf(ceiling);
    Set<String> anew = now.createdAnewSince(ceiling);
    if (!anew.isEmpty()) {
      throw new TidemillException(
              ErrorCode.DATA_LOSS,
              "A topic was deleted and created anew since this run fixed where it ends: start it"
                  + " again.")
          .with("topics", anew);
    }
    for (Map.Entry<TopicPartition, Long> end : ceiling.offsets().map().entrySet()) {
      long offset = now.offsets().find(end.getKey()).orElse(-1);
      if (offset < end.getValue()) {
        throw new TidemillException(
                ErrorCode.DATA_LOSS,
                offset < 0
                    ? "A partition has vanished since this run fixed where it ends: start it again."
                    : "A partition is shorter than when this run fixed where it ends: start it"
                        + " again.")
            .with("partition", end.getKey())
            .with("end", end.getValue())
            .with("latest", offset);
      }
    }
  }

  /** Topics that are not those the position is of are read from their start, or fail the query. */
  private KafkaPosition withoutCreatedAnew(KafkaPosition from, KafkaPosition latest) {
    Set<String> anew = latest.createdAnewSince(from);
    if (anew.isEmpty()) {
      return from;
    }
    if (settings.failOnDataLoss()) {
      throw new TidemillException(
              ErrorCode.DATA_LOSS,
              "A topic that this query reads was deleted and created anew, so the offsets that it has"
                  + " reached mean other records. Give it a new checkpoint, or set failOnDataLoss ="
                  + " 'false' to read the new topic from its start.")
          .with("topics", anew);
    }
    if (saidAnew.addAll(anew)) {
      LOG.warn(
          "Topics were deleted and created anew. They are read from their start, as failOnDataLoss"
              + " is false: {}",
          anew);
    }
    return from.without(anew);
  }

  private void checkNoneVanished(PartitionOffsets known, PartitionOffsets latest) {
    Set<TopicPartition> vanished = new TreeSet<>(PartitionOffsets.ORDER);
    vanished.addAll(known.partitions());
    vanished.removeAll(latest.partitions());
    if (!vanished.isEmpty()) {
      dataLoss("Partitions that this query reads have been deleted.", vanished, "");
    }
  }

  private PartitionOffsets withNewPartitions(PartitionOffsets known, PartitionOffsets latest) {
    Set<TopicPartition> added = new TreeSet<>(PartitionOffsets.ORDER);
    added.addAll(latest.partitions());
    added.removeAll(known.partitions());
    if (added.isEmpty()) {
      return known;
    }
    PartitionOffsets earliest = cluster.earliest(added);
    for (TopicPartition partition : added) {
      if (earliest.find(partition).isEmpty()) {
        dataLoss("The first offset of a new partition was not found.", Set.of(partition), "");
      } else if (earliest.find(partition).getAsLong() != 0) {
        dataLoss(
            "A new partition does not start at offset 0, so records may have been missed.",
            Set.of(partition),
            earliest.find(partition).getAsLong());
      }
    }
    NavigableMap<TopicPartition, Long> all = new TreeMap<>(known.map());
    all.putAll(earliest.map());
    return new PartitionOffsets(all);
  }

  private List<KafkaRange> ranges(PartitionOffsets start, PartitionOffsets end) {
    List<KafkaRange> ranges = new ArrayList<>();
    for (Map.Entry<TopicPartition, Long> entry : end.map().entrySet()) {
      TopicPartition partition = entry.getKey();
      long from = start.find(partition).orElse(entry.getValue());
      long until = entry.getValue();
      if (until < from) {
        dataLoss(
            "A partition ends before the offset that this query has reached: was the topic created"
                + " anew?",
            Set.of(partition),
            until);
      } else {
        ranges.add(KafkaRange.of(partition, from, until));
      }
    }
    return ranges;
  }

  /** Fails the query, or says that it goes on without some records if the user allowed that. */
  private void dataLoss(String message, Set<TopicPartition> partitions, Object offset) {
    if (settings.failOnDataLoss()) {
      throw new TidemillException(
              ErrorCode.DATA_LOSS, message + " With failOnDataLoss = 'false' the query goes on.")
          .with("partitions", partitions)
          .with("offset", offset);
    }
    LOG.warn("{} Going on, as failOnDataLoss is false: {} {}", message, partitions, offset);
  }

  @Override
  public Map<String, String> metrics(SourcePosition end, SourcePosition latest) {
    PartitionOffsets reached = KafkaPosition.of(end).offsets();
    long[] behind =
        KafkaPosition.of(latest).offsets().map().entrySet().stream()
            .mapToLong(e -> Math.max(0, e.getValue() - reached.find(e.getKey()).orElse(0)))
            .toArray();
    if (behind.length == 0) {
      return Map.of();
    }
    return Map.of(
        "minOffsetsBehindLatest", Long.toString(LongStream.of(behind).min().orElseThrow()),
        "maxOffsetsBehindLatest", Long.toString(LongStream.of(behind).max().orElseThrow()),
        "avgOffsetsBehindLatest", Double.toString(LongStream.of(behind).average().orElseThrow()));
  }

  /** Without the ids, as Spark has it. */
  @Override
  public JsonNode shown(SourcePosition position) {
    return new SourcePosition(KafkaPosition.of(position).offsets().json()).json();
  }

  @Override
  public String description() {
    return "kafka[" + settings.topics().text() + "]";
  }

  @Override
  public void close() {
    cluster.close();
  }
}

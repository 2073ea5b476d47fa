package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a query without a checkpoint starts. Of the options, {@code startingTimestamp} goes before
 * {@code startingOffsetsByTimestamp}, and that before {@code startingOffsets}.
 */
interface StartingOffsets {
  String TIMESTAMP = "startingTimestamp";
  String BY_TIMESTAMP = "startingOffsetsByTimestamp";
  String STRATEGY = "startingOffsetsByTimestampStrategy";
  String OFFSETS = "startingOffsets";
  long LATEST = -1;
  long EARLIEST = -2;

  /** Offsets for exactly these partitions. */
  PartitionOffsets resolve(KafkaCluster cluster, Set<TopicPartition> partitions);

  static StartingOffsets of(Options options) {
    boolean orLatest =
        options.oneOf(STRATEGY, "error", java.util.List.of("error", "latest")).equals("latest");
    OptionalLong timestamp = options.number(TIMESTAMP, 0);
    if (timestamp.isPresent()) {
      long millis = timestamp.getAsLong();
      return (cluster, partitions) -> {
        NavigableMap<TopicPartition, Long> all = new TreeMap<>(PartitionOffsets.ORDER);
        partitions.forEach(p -> all.put(p, millis));
        return at(options, TIMESTAMP, cluster, new PartitionOffsets(all), orLatest);
      };
    }
    if (options.text(BY_TIMESTAMP).isPresent()) {
      PartitionOffsets timestamps =
          given(options, BY_TIMESTAMP, 0, "{\"orders\":{\"0\":1700000000000}}");
      return (cluster, partitions) -> {
        checkSame(options, BY_TIMESTAMP, timestamps, partitions);
        return at(options, BY_TIMESTAMP, cluster, timestamps, orLatest);
      };
    }
    return switch (options.text(OFFSETS, "latest").trim().toLowerCase(Locale.ROOT)) {
      case "latest" -> KafkaCluster::latestOf;
      case "earliest" -> KafkaCluster::earliest;
      default -> {
        PartitionOffsets offsets =
            given(options, OFFSETS, EARLIEST, "{\"orders\":{\"0\":23,\"1\":-2}}");
        yield (cluster, partitions) -> {
          checkSame(options, OFFSETS, offsets, partitions);
          return specific(cluster, offsets);
        };
      }
    };
  }

  private static PartitionOffsets given(Options options, String name, long min, String example) {
    return TopicSelection.json(options, name)
        .flatMap(PartitionOffsets::parse)
        .filter(given -> given.map().values().stream().allMatch(offset -> offset >= min))
        .orElseThrow(
            () ->
                options.invalid(
                    name,
                    (name.equals(OFFSETS) ? "earliest, latest or JSON" : "JSON")
                        + " such as "
                        + example));
  }

  private static void checkSame(
      Options options, String name, PartitionOffsets given, Set<TopicPartition> partitions) {
    if (!given.partitions().equals(partitions)) {
      throw options
          .invalid(name, "exactly the partitions that the stream reads")
          .with("given", given.partitions())
          .with("read", partitions);
    }
  }

  private static PartitionOffsets specific(KafkaCluster cluster, PartitionOffsets given) {
    NavigableMap<TopicPartition, Long> offsets = new TreeMap<>(given.map());
    offsets.putAll(cluster.latestOf(with(given, LATEST)).map());
    offsets.putAll(cluster.earliest(with(given, EARLIEST)).map());
    return new PartitionOffsets(offsets);
  }

  private static Set<TopicPartition> with(PartitionOffsets given, long offset) {
    return given.partitions().stream()
        .filter(p -> given.find(p).orElseThrow() == offset)
        .collect(java.util.stream.Collectors.toSet());
  }

  private static PartitionOffsets at(
      Options options,
      String name,
      KafkaCluster cluster,
      PartitionOffsets timestamps,
      boolean orLatest) {
    PartitionOffsets found = cluster.at(timestamps);
    Set<TopicPartition> after = new java.util.TreeSet<>(PartitionOffsets.ORDER);
    after.addAll(timestamps.partitions());
    after.removeAll(found.partitions());
    if (after.isEmpty()) {
      return found;
    }
    Optional<TopicPartition> first = after.stream().findFirst();
    if (!orLatest) {
      throw options
          .invalid(
              name,
              "a time at or before the last record of every partition, or"
                  + " startingOffsetsByTimestampStrategy = 'latest' to start at the end")
          .with("partition", first.orElseThrow());
    }
    NavigableMap<TopicPartition, Long> offsets = new TreeMap<>(found.map());
    offsets.putAll(cluster.latestOf(after).map());
    return new PartitionOffsets(offsets);
  }
}

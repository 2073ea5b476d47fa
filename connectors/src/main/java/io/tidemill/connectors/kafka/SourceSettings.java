package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The options of a Kafka stream, read and checked. Spark 4.2: reference section 1.1.
 *
 * @param client {@code kafka.*} options as written
 * @param failOnDataLoss whether records that are gone fail the query or are skipped
 * @param pollTimeout how long a reader waits for records that should be there
 * @param offsetTries how often offsets are asked for before giving up
 * @param offsetRetryInterval pause between two tries
 * @param maxOffsetsPerTrigger about how many offsets a batch has at most
 * @param minOffsetsPerTrigger a batch waits for so many
 * @param maxTriggerDelay but no longer than this
 * @param division how ranges are divided among tasks
 * @param includeHeaders whether a stream without a column list has the column {@code headers}
 */
record SourceSettings(
    TopicSelection topics,
    StartingOffsets starting,
    Map<String, Object> client,
    boolean failOnDataLoss,
    Duration pollTimeout,
    int offsetTries,
    Duration offsetRetryInterval,
    OptionalLong maxOffsetsPerTrigger,
    OptionalLong minOffsetsPerTrigger,
    Duration maxTriggerDelay,
    RangeDivision division,
    boolean includeHeaders) {
  static final String INCLUDE_HEADERS = "includeHeaders";
  static final String FORMAT = "format";

  private static final int TRIES_MAX = 1_000;
  private static final Duration POLL_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
  private static final Duration TRIGGER_DELAY = Duration.ofMinutes(15);

  /** Every option of a stream; the last three are for the engine. */
  static final List<String> KNOWN =
      List.of(
          ClientOptions.PREFIX,
          TopicSelection.SUBSCRIBE,
          TopicSelection.PATTERN,
          TopicSelection.ASSIGN,
          StartingOffsets.TIMESTAMP,
          StartingOffsets.BY_TIMESTAMP,
          StartingOffsets.STRATEGY,
          StartingOffsets.OFFSETS,
          "failOnDataLoss",
          "kafkaConsumer.pollTimeoutMs",
          "fetchOffset.numRetries",
          "fetchOffset.retryIntervalMs",
          "maxOffsetsPerTrigger",
          "minOffsetsPerTrigger",
          "maxTriggerDelay",
          "minPartitions",
          "maxRecordsPerPartition",
          "groupIdPrefix",
          INCLUDE_HEADERS,
          FORMAT,
          "sep",
          "delimiter",
          "quote",
          "escape",
          "nullValue",
          "header",
          "malformed",
          "deadLetter",
          "partitionedBy");

  /** Of Spark's batch reader; a stream has no end. */
  private static final List<String> BATCH_ONLY =
      List.of("endingTimestamp", "endingOffsetsByTimestamp", "endingOffsets");

  static SourceSettings of(Options options) {
    for (String name : BATCH_ONLY) {
      if (options.text(name).isPresent()) {
        throw options.invalid(name, "it to be left out, as a stream has no end");
      }
    }
    options.check(KNOWN);
    ClientOptions.checkSource(options);
    OptionalLong max = options.number("maxOffsetsPerTrigger", 1);
    OptionalLong min = options.number("minOffsetsPerTrigger", 1);
    if (max.isPresent() && min.isPresent() && min.getAsLong() > max.getAsLong()) {
      throw options.invalid("minOffsetsPerTrigger", "no more than maxOffsetsPerTrigger");
    }
    long tries = options.number("fetchOffset.numRetries", 0).orElse(3);
    return new SourceSettings(
        TopicSelection.of(options),
        StartingOffsets.of(options),
        client(options),
        options.flag("failOnDataLoss", true),
        millis(options, "kafkaConsumer.pollTimeoutMs").orElse(POLL_TIMEOUT),
        (int) Math.min(Math.max(tries, 1), TRIES_MAX),
        millis(options, "fetchOffset.retryIntervalMs").orElse(RETRY_INTERVAL),
        max,
        min,
        options.duration("maxTriggerDelay").orElse(TRIGGER_DELAY),
        new RangeDivision(
            options.number("maxRecordsPerPartition", 1), options.number("minPartitions", 1)),
        options.flag(INCLUDE_HEADERS, false));
  }

  /**
   * A group id serves access rules only: partitions are assigned and nothing is committed. So it
   * need not differ between runs.
   */
  private static Map<String, Object> client(Options options) {
    Map<String, Object> client = ClientOptions.written(options);
    options.text("groupIdPrefix").ifPresent(prefix -> client.putIfAbsent("group.id", prefix));
    return client;
  }

  private static Optional<Duration> millis(Options options, String name) {
    OptionalLong millis = options.number(name, 1);
    return millis.isPresent()
        ? Optional.of(Duration.ofMillis(millis.getAsLong()))
        : Optional.empty();
  }

  /** Where the brokers are, for errors. */
  String servers() {
    return client.get(ClientOptions.SERVERS).toString();
  }
}

package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.memory.MemoryBlob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Broker.Extension.class)
class KafkaSinkTest {
  private static final Schema VALUE = Schema.of("value", "VARCHAR");

  @TempDir Path directory;

  private final SinkConnector connector = KafkaConnectors.sink();
  private final MemoryBlob checkpoint = new MemoryBlob();
  private final List<SinkPublisher> opened = new ArrayList<>();
  private Broker broker;
  private String topic;
  private DuckDBConnection db;

  @BeforeEach
  void open(Broker broker) throws SQLException {
    this.broker = broker;
    topic = broker.topic(2);
    db = DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
  }

  @AfterEach
  void close() throws SQLException {
    opened.forEach(SinkPublisher::close);
    db.close();
    checkpoint.close();
  }

  private Options options(String... more) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("kafka.bootstrap.servers", broker.servers());
    options.put("topic", topic);
    for (int i = 0; i < more.length; i += 2) {
      if (more[i + 1] == null) {
        options.remove(more[i]);
      } else {
        options.put(more[i], more[i + 1]);
      }
    }
    return Options.of("sink alerts", options);
  }

  private SinkContext context() {
    return new SinkContext(new QueryId("query-of-" + topic), "alerts", checkpoint);
  }

  private SinkPublisher publisher(Options options, Schema rows) {
    SinkPublisher publisher = connector.publisher(options, rows, context());
    opened.add(publisher);
    return publisher;
  }

  private Optional<JsonNode> stage(Options options, Schema rows, int batch, int part, String select)
      throws Exception {
    try (SinkWriter writer = connector.writer(options, rows, context());
        Statement statement = db.createStatement()) {
      statement.execute("CREATE OR REPLACE TABLE \"rows\" AS " + select);
      return writer
          .write(
              db,
              "rows",
              task(batch, part),
              new AttemptId("attempt"),
              OutputMode.APPEND,
              Files.createTempDirectory(directory, "scratch"))
          // As it comes back from the checkpoint.
          .map(output -> Json.read(output.toString(), JsonNode.class));
    }
  }

  private static TaskId task(int batch, int part) {
    return new TaskId(Timeline.FIRST, new BatchId(batch), 0, part);
  }

  private SinkPublisher.Staged staged(int batch, String... values) throws Exception {
    String select = "SELECT unnest(['" + String.join("','", values) + "']) AS value";
    return new SinkPublisher.Staged(
        task(batch, 0), stage(options(), VALUE, batch, 0, select).orElseThrow());
  }

  private SinkPublisher.Staged stagedFile(int batch, int part, int rows) throws Exception {
    String select = "SELECT 'row-' || %d || '-' || i AS value FROM range(%d) t(i)";
    return new SinkPublisher.Staged(
        task(batch, part),
        stage(options(), VALUE, batch, part, select.formatted(part, rows)).orElseThrow());
  }

  private static void publish(SinkPublisher publisher, int batch, SinkPublisher.Staged... staged) {
    publisher.publish(Timeline.FIRST, new BatchId(batch), OutputMode.APPEND, List.of(staged));
  }

  private List<ConsumerRecord<byte[], byte[]>> committed() {
    return committed(topic);
  }

  private List<ConsumerRecord<byte[], byte[]>> committed(String topic) {
    return broker.committed(topic, 2);
  }

  private List<String> values() {
    return committed().stream().map(r -> text(r.value())).sorted().toList();
  }

  private static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static void fails(ErrorCode code, String text, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void rowsBecomeRecordsWithAllTheirParts() throws Exception {
    String other = broker.topic(2);
    Schema rows =
        Schema.of(
            "Key",
            "BLOB",
            "value",
            "VARCHAR",
            "headers",
            HeadersColumn.TYPE,
            "topic",
            "VARCHAR",
            "partition",
            "INTEGER",
            "ignored",
            "DOUBLE");
    Options options = options("topic", null);
    connector.validate(options, rows);
    String select =
        """
        SELECT '\\x00\\xFF'::BLOB AS "key", 'größe' AS value,
          [{'key': 'trace', 'value': '\\x01'::BLOB}, {'key': 'none', 'value': NULL}] AS headers,
          '%s' AS topic, 1::INTEGER AS "partition", 2.5 AS ignored
        UNION ALL SELECT NULL, NULL, NULL, '%s', 0, 3.5
        """
            .formatted(topic, other);
    SinkPublisher.Staged staged =
        new SinkPublisher.Staged(task(0, 0), stage(options, rows, 0, 0, select).orElseThrow());
    publish(publisher(options, rows), 0, staged);
    ConsumerRecord<byte[], byte[]> record = committed().get(0);
    assertThat(record.key()).containsExactly(0, -1);
    assertThat(text(record.value())).isEqualTo("größe");
    assertThat(record.partition()).isEqualTo(1);
    assertThat(record.headers().lastHeader("trace").value()).containsExactly(1);
    assertThat(record.headers().lastHeader("none").value()).isNull();
    ConsumerRecord<byte[], byte[]> tombstone = committed(other).get(0);
    assertThat(tombstone.key()).isNull();
    assertThat(tombstone.value()).isNull();
    assertThat(tombstone.headers()).isEmpty();
  }

  @Test
  void smallOutputsTravelInTheResultAndLargeOnesAsFiles() throws Exception {
    assertThat(staged(0, "a").output().path("file").isMissingNode()).isTrue();
    assertThat(checkpoint.list("sink/", "", 10)).isEmpty();
    SinkPublisher.Staged large = stagedFile(0, 3, 20_000);
    assertThat(large.output().path("file").asText())
        .isEqualTo("sink/alerts/0/0000000000/s0/p3-attempt.parquet");
    publish(publisher(options(), VALUE), 0, staged(0, "a"), large);
    assertThat(committed()).hasSize(20_001);
    assertThat(values()).doesNotHaveDuplicates().contains("a", "row-3-0", "row-3-19999");
  }

  @Test
  void jsonIsSentAsItsText() throws Exception {
    Schema rows = Schema.of("key", "JSON", "value", "JSON");
    SinkPublisher publisher = publisher(options(), rows);
    String select = "SELECT to_json('a') AS key, to_json({'n': 1, 'none': NULL}) AS value";
    publish(
        publisher,
        0,
        new SinkPublisher.Staged(task(0, 0), stage(options(), rows, 0, 0, select).orElseThrow()));
    assertThat(values()).containsExactly("{\"n\":1,\"none\":null}");
  }

  @Test
  void tableWithoutRowsStagesNothing() throws Exception {
    assertThat(stage(options(), VALUE, 0, 0, "SELECT 'x' AS value WHERE false")).isEmpty();
  }

  @Test
  void batchPublishedTwiceIsThereOnce() throws Exception {
    SinkPublisher publisher = publisher(options(), VALUE);
    publish(publisher, 0, staged(0, "a", "b"));
    publish(publisher, 0, staged(0, "a", "b"));
    publish(publisher, 1, staged(1, "c"));
    assertThat(values()).containsExactly("a", "b", "c");
  }

  @Test
  void runThatEndedRightAfterItsTransactionIsNotRepeated() throws Exception {
    publish(publisher(options(), VALUE), 4, staged(4, "a"));
    SinkPublisher next = publisher(options(), VALUE);
    publish(next, 4, staged(4, "a"));
    publish(next, 5, staged(5, "b"));
    assertThat(values()).containsExactly("a", "b");
  }

  @Test
  void transactionLeftOpenByACrashIsAbortedAndItsBatchSent() throws Exception {
    var crashed =
        broker.producer(Map.of("transactional.id", "tidemill-query-of-" + topic + "-alerts"));
    crashed.initTransactions();
    crashed.beginTransaction();
    Broker.await(crashed, Broker.record(topic, 0, "half"));
    publish(publisher(options(), VALUE), 0, staged(0, "half", "whole"));
    assertThat(values()).containsExactly("half", "whole");
    crashed.close(Duration.ZERO);
  }

  @Test
  void earlierRunIsFencedByALaterOne() throws Exception {
    SinkPublisher earlier = publisher(options(), VALUE);
    publish(earlier, 0, staged(0, "a"));
    SinkPublisher later = publisher(options(), VALUE);
    fails(ErrorCode.FENCED, "Another run", () -> publish(earlier, 1, staged(1, "zombie")));
    publish(later, 1, staged(1, "b"));
    assertThat(values()).containsExactly("a", "b");
  }

  @Test
  void batchNumbersCountPerTimeline() throws Exception {
    SinkPublisher publisher = publisher(options(), VALUE);
    publish(publisher, 7, staged(7, "old"));
    List<SinkPublisher.Staged> rewound = List.of(staged(3, "new"));
    publisher.publish(Timeline.FIRST.next(), new BatchId(3), OutputMode.APPEND, rewound);
    publisher.publish(Timeline.FIRST.next(), new BatchId(3), OutputMode.APPEND, rewound);
    assertThat(values()).containsExactly("new", "old");
    fails(ErrorCode.FENCED, "newer timeline", () -> publish(publisher, 8, staged(8, "stale")));
  }

  @Test
  void twoSinksOfAQueryDoNotFenceEachOther() throws Exception {
    SinkPublisher alerts = publisher(options(), VALUE);
    SinkPublisher rejected =
        connector.publisher(
            Options.of(
                "sink rejected",
                Map.of("kafka.bootstrap.servers", broker.servers(), "topic", topic)),
            VALUE,
            context());
    opened.add(rejected);
    publish(alerts, 0, staged(0, "a"));
    publish(rejected, 0, staged(0, "r"));
    publish(alerts, 1, staged(1, "b"));
    assertThat(values()).containsExactly("a", "b", "r");
  }

  @Test
  void atLeastOnceSendsARepeatedBatchAgain() throws Exception {
    Options options = options("delivery", "at-least-once");
    SinkPublisher publisher = publisher(options, VALUE);
    publish(publisher, 0, staged(0, "a"));
    publish(publisher, 0, staged(0, "a"));
    assertThat(values()).containsExactly("a", "a");
    assertThat(connector.guarantee(options)).isEqualTo(Guarantee.AT_LEAST_ONCE);
    assertThat(connector.guarantee(options())).isEqualTo(Guarantee.EXACTLY_ONCE_BY_TRANSACTION);
  }

  @Test
  void filesOfABatchAreRemovedWhenALaterOneIsPublished() throws Exception {
    SinkPublisher publisher = publisher(options(), VALUE);
    SinkPublisher.Staged first = stagedFile(0, 0, 5_000);
    stagedFile(0, 9, 5_000); // of an attempt that lost
    publish(publisher, 0, first);
    publish(publisher, 0, first);
    SinkPublisher.Staged second = stagedFile(1, 0, 5_000);
    assertThat(checkpoint.list("sink/", "", 10)).hasSize(3);
    publish(publisher, 1, second);
    assertThat(checkpoint.list("sink/", "", 10))
        .containsExactly(second.output().path("file").asText());
  }

  @Test
  void damagedFileIsReportedAndNothingIsSent() throws Exception {
    SinkPublisher.Staged staged = stagedFile(0, 0, 5_000);
    String key = staged.output().path("file").asText();
    byte[] bytes = checkpoint.get(key).orElseThrow();
    bytes[bytes.length / 2] ^= 1;
    checkpoint.delete(key);
    checkpoint.putIfAbsent(key, bytes);
    SinkPublisher publisher = publisher(options(), VALUE);
    fails(ErrorCode.CHECKPOINT_CORRUPT, key, () -> publish(publisher, 0, staged));
    assertThat(values()).isEmpty();
    publish(publisher, 1, staged(1, "next"));
    assertThat(values()).containsExactly("next");
  }

  @Test
  void rowThatKafkaRefusesIsReportedAndCanBeSentAfterAChange() throws Exception {
    SinkPublisher.Staged large =
        new SinkPublisher.Staged(
            task(0, 0),
            stage(options(), VALUE, 0, 0, "SELECT repeat('x', 2000) AS value").orElseThrow());
    SinkPublisher publisher = publisher(options("kafka.max.request.size", "1000"), VALUE);
    fails(ErrorCode.NOT_WRITABLE, "max.request.size", () -> publish(publisher, 0, large));
    publish(publisher(options(), VALUE), 0, large);
    assertThat(committed()).hasSize(1);
  }

  @Test
  void rowWithoutATopicIsRefused() throws Exception {
    Schema rows = Schema.of("value", "VARCHAR", "topic", "VARCHAR");
    fails(
        ErrorCode.QUERY_FAILED,
        "null topic",
        () -> stage(options("topic", null), rows, 0, 0, "SELECT 'a' AS value, NULL AS topic"));
    assertThat(stage(options(), rows, 0, 0, "SELECT 'a' AS value, NULL AS topic")).isPresent();
  }

  @Test
  void missingTopicIsNamedWithTheNearestThatExists() {
    broker.create("alerts_eu", 1);
    fails(
        ErrorCode.NOT_WRITABLE,
        "'alert_eu' does not exist: create it first. Did you mean 'alerts_eu'?",
        () -> publisher(options("topic", "alert_eu"), VALUE));
  }

  @Test
  void unreachableBrokerIsNamed() {
    Options options =
        options(
            "kafka.bootstrap.servers",
            "localhost:1",
            "kafka.default.api.timeout.ms",
            "300",
            "kafka.request.timeout.ms",
            "300");
    fails(ErrorCode.SINK_UNAVAILABLE, "localhost:1", () -> publisher(options, VALUE));
  }
}

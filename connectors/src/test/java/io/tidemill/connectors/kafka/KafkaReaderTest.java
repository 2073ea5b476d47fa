package io.tidemill.connectors.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourceSplit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.duckdb.DuckDBConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Broker.Extension.class)
class KafkaReaderTest {
  private static final String TEXT = "decode(value) || '@' || \"offset\"";

  private Broker broker;
  private DuckDBConnection db;
  private SourceReader reader;
  private Map<String, Long> counts;

  @BeforeEach
  void open(Broker broker) throws SQLException {
    this.broker = broker;
    db = DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
    try (Statement statement = db.createStatement()) {
      statement.execute("SET threads = 1; SET TimeZone = 'UTC'");
      // As the engine runs a job's SQL.
      statement.execute("SET enable_external_access = false; SET lock_configuration = true");
    }
  }

  @AfterEach
  void close() throws SQLException {
    if (reader != null) {
      reader.close();
    }
    db.close();
  }

  private void reader(Options options, Schema declared) {
    close(reader);
    reader = KafkaConnectors.source().reader(options, declared);
  }

  private static void close(SourceReader reader) {
    if (reader != null) {
      reader.close();
    }
  }

  private static SourceSplit split(String topic, int partition, long from, long until) {
    return new KafkaRange(topic, partition, from, until).split();
  }

  /** Reads through a scan and gives one text a row. */
  private List<String> scan(String expression, SourceSplit... splits) throws SQLException {
    Set<String> columns =
        Set.of(
            "key",
            "value",
            "topic",
            "partition",
            "offset",
            "timestamp",
            "timestampType",
            "headers",
            "fields");
    try (SourceReader.Scan scan = reader.scan(List.of(splits), db, columns).orElseThrow();
        Statement statement = db.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT " + expression + " FROM " + scan.relation())) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      counts = scan.counts();
      return texts;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String[] numbers(int from, int until) {
    return IntStream.range(from, until).mapToObj(Integer::toString).toArray(String[]::new);
  }

  @Test
  void recordBecomesARowWithAllItsColumns() throws SQLException {
    String topic = broker.topic(2);
    try (var producer = broker.producer(Map.of())) {
      ProducerRecord<String, byte[]> record =
          new ProducerRecord<>(
              topic, 1, 1_700_000_000_123L, "key", "größe".getBytes(StandardCharsets.UTF_8));
      record.headers().add("trace", new byte[] {0, (byte) 0xff}).add("empty", null);
      Broker.await(producer, record);
      Broker.await(producer, new ProducerRecord<>(topic, 1, 5L, null, (byte[]) null));
      Broker.await(
          producer, new ProducerRecord<>(topic, 1, 6L, "bad", new byte[] {(byte) 0xc3, 0, 'x'}));
    }
    reader(broker.options(topic, "includeHeaders", "true"), Schema.EMPTY);
    assertThat(
            scan(
                "concat_ws('|', decode(key), value, topic, partition, \"offset\", \"timestamp\","
                    + " timestampType, headers::VARCHAR)",
                split(topic, 1, 0, 3)))
        .containsExactly(
            "key|gr\\xC3\\xB6\\xC3\\x9Fe|"
                + topic
                + "|1|0|2023-11-14 22:13:20.123|0|[{'key': trace, 'value': '\\\\x00\\\\xFF'},"
                + " {'key': empty, 'value': NULL}]",
            topic + "|1|1|1970-01-01 00:00:00.005|0",
            "bad|\\xC3\\x00x|" + topic + "|1|2|1970-01-01 00:00:00.006|0");
    assertThat(scan("value IS NULL AND key IS NULL AND headers IS NULL", split(topic, 1, 1, 2)))
        .containsExactly("true");
  }

  @Test
  void onlyTheWantedColumnsGoIntoATable() throws SQLException {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a", "b");
    reader(broker.options(topic), Schema.EMPTY);
    try (Statement statement = db.createStatement()) {
      statement.execute("CREATE TABLE rows (value BLOB, \"offset\" BIGINT)");
      assertThat(
              reader.read(
                  List.of(split(topic, 0, 0, 2)),
                  db,
                  "rows",
                  Set.of("offset", "value"),
                  Path.of("unused")))
          .isEmpty();
      try (ResultSet row =
          statement.executeQuery("SELECT string_agg(decode(value) || \"offset\") FROM rows")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("a0,b1");
      }
    }
  }

  @Test
  void rowsCanBeCountedWithoutAnyColumn() throws SQLException {
    String topic = broker.topic(1);
    broker.send(topic, 0, numbers(0, 7));
    reader(broker.options(topic), Schema.EMPTY);
    try (SourceReader.Scan scan =
            reader.scan(List.of(split(topic, 0, 1, 6)), db, Set.of()).orElseThrow();
        Statement statement = db.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + scan.relation())) {
      row.next();
      assertThat(row.getLong(1)).isEqualTo(5);
    }
  }

  @Test
  void rangesAreReadExactlyAndAgainTheSame() throws SQLException {
    String topic = broker.topic(2);
    broker.send(topic, 0, numbers(0, 10));
    broker.send(topic, 1, numbers(10, 15));
    reader(broker.options(topic), Schema.EMPTY);
    SourceSplit[] splits = {split(topic, 0, 2, 5), split(topic, 1, 0, 3), split(topic, 0, 7, 8)};
    List<String> first = scan(TEXT, splits);
    assertThat(first).containsExactlyInAnyOrder("2@2", "3@3", "4@4", "10@0", "11@1", "12@2", "7@7");
    assertThat(first).containsSubsequence("2@2", "3@3", "4@4", "7@7");
    assertThat(scan(TEXT, splits)).isEqualTo(first);
    assertThat(scan(TEXT, split(topic, 0, 5, 10)))
        .containsExactly("5@5", "6@6", "7@7", "8@8", "9@9");
    assertThat(scan(TEXT, splits)).isEqualTo(first);
    reader(broker.options(topic, "kafka.max.poll.records", "1"), Schema.EMPTY);
    assertThat(scan(TEXT, splits)).as("whatever the fetch size").isEqualTo(first);
  }

  @Test
  void orderOverSplitsDoesNotDependOnHowRecordsArrive() throws SQLException {
    String topic = broker.topic(3);
    for (int partition = 0; partition < 3; partition++) {
      try (var producer = broker.producer(Map.of("linger.ms", 200))) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < 5_000 * (partition + 1); i++) {
          sent.add(producer.send(Broker.record(topic, partition, partition + "-" + i)));
        }
        sent.forEach(Broker::await);
      }
    }
    SourceSplit[] splits = {
      split(topic, 0, 0, 5_000), split(topic, 1, 0, 10_000), split(topic, 2, 0, 15_000)
    };
    reader(broker.options(topic), Schema.EMPTY);
    List<String> rows = scan("decode(value)", splits);
    assertThat(rows).hasSize(30_000).doesNotHaveDuplicates();
    for (String fetch : List.of("100", "3000", "1000000")) {
      reader(
          broker.options(
              topic, "kafka.max.partition.fetch.bytes", fetch, "kafka.max.poll.records", "777"),
          Schema.EMPTY);
      assertThat(scan("decode(value)", splits)).isEqualTo(rows);
    }
  }

  @Test
  void abandonedScanDoesNotDisturbTheNextOne() throws SQLException {
    String topic = broker.topic(1);
    broker.send(topic, 0, numbers(0, 8));
    reader(broker.options(topic), Schema.EMPTY);
    try (SourceReader.Scan scan =
        reader.scan(List.of(split(topic, 0, 0, 8)), db, Set.of("value")).orElseThrow()) {
      assertThat(scan.failure()).isEmpty();
    }
    assertThat(scan(TEXT, split(topic, 0, 6, 8))).containsExactly("6@6", "7@7");
    assertThat(scan(TEXT, split(topic, 0, 1, 2))).containsExactly("1@1");
  }

  @Test
  void rowsCannotBeReadTwiceOrByJobSql() throws SQLException {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a");
    reader(broker.options(topic), Schema.EMPTY);
    String relation;
    try (SourceReader.Scan scan =
        reader.scan(List.of(split(topic, 0, 0, 1)), db, Set.of("value")).orElseThrow()) {
      relation = scan.relation();
    }
    try (Statement statement = db.createStatement()) {
      assertThatThrownBy(() -> statement.executeQuery("SELECT * FROM " + relation))
          .hasMessageContaining("only once");
    }
  }

  @Test
  void abortedTransactionsAndMarkersAreGapsNotLosses() throws SQLException {
    String topic = broker.topic(1);
    broker.send(topic, 0, "before");
    try (var producer = broker.producer(Map.of("transactional.id", topic))) {
      producer.initTransactions();
      for (int i = 0; i < 3; i++) {
        producer.beginTransaction();
        Broker.await(producer, Broker.record(topic, 0, "aborted" + i));
        producer.abortTransaction();
        producer.beginTransaction();
        Broker.await(producer, Broker.record(topic, 0, "committed" + i));
        producer.commitTransaction();
      }
      producer.beginTransaction();
      Broker.await(producer, Broker.record(topic, 0, "aborted at the end"));
      producer.abortTransaction();
    }
    Options committed = broker.options(topic, "kafka.isolation.level", "read_committed");
    long end = 15; // 8 records and 7 markers
    try (var source = KafkaConnectors.source().open(committed, Schema.EMPTY, null)) {
      var expected =
          PartitionOffsets.of(Map.of(KafkaRange.of(split(topic, 0, 0, 1)).topicPartition(), end));
      Broker.until(
          () -> KafkaPosition.of(source.latest(source.initial())).offsets().equals(expected));
    }
    reader(committed, Schema.EMPTY);
    assertThat(scan("decode(value)", split(topic, 0, 0, end)))
        .containsExactly("before", "committed0", "committed1", "committed2");
    assertThat(scan("decode(value)", split(topic, 0, 12, end))).isEmpty();
    List<String> parts = new ArrayList<>();
    for (long from = 0; from < end; from++) {
      parts.addAll(scan("decode(value)", split(topic, 0, from, from + 1)));
    }
    assertThat(parts).containsExactly("before", "committed0", "committed1", "committed2");
    assertThat(counts).isEmpty();
    reader(broker.options(topic), Schema.EMPTY);
    assertThat(scan(TEXT, split(topic, 0, 0, end))).hasSize(8).contains("aborted at the end@13");
  }

  @Test
  void compactedRecordsAreGapsNotLosses() throws SQLException {
    String topic =
        broker.topic(
            1,
            Map.of(
                "cleanup.policy",
                "compact",
                "segment.ms",
                "1",
                "min.cleanable.dirty.ratio",
                "0.01",
                "min.compaction.lag.ms",
                "0"));
    try (var producer = broker.producer(Map.of())) {
      for (int i = 0; i < 20; i++) {
        byte[] value = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
        Broker.await(producer, new ProducerRecord<>(topic, 0, null, "k" + i % 2, value));
      }
    }
    reader(broker.options(topic), Schema.EMPTY);
    List<List<String>> seen = new ArrayList<>();
    Broker.until(
        () -> {
          try {
            seen.add(scan("decode(value)", split(topic, 0, 0, 20)));
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
          return seen.get(seen.size() - 1).size() < 6;
        });
    assertThat(seen.get(seen.size() - 1)).endsWith("19");
    assertThat(scan("decode(value)", split(topic, 0, 2, 10))).isEmpty();
    assertThat(counts).isEmpty();
  }

  @Test
  void expiredRecordsFailTheBatchOrAreSkippedAndCounted() throws SQLException {
    String topic = broker.topic(2);
    broker.send(topic, 0, numbers(0, 10));
    broker.send(topic, 1, "whole");
    broker.expire(topic, 0, 6);
    SourceSplit[] splits = {split(topic, 0, 2, 9), split(topic, 1, 0, 1)};
    reader(broker.options(topic), Schema.EMPTY);
    assertThatThrownBy(() -> scan(TEXT, splits)).hasMessageContaining("gone from Kafka");
    try (Statement statement = db.createStatement()) {
      statement.execute("CREATE TABLE rows (value BLOB)");
    }
    assertThatThrownBy(
            () -> reader.read(List.of(splits), db, "rows", Set.of("value"), Path.of("unused")))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.DATA_LOSS);
              assertThat(e.fields()).containsEntry("offset", 2L).containsEntry("earliest", 6L);
            });
    reader(broker.options(topic, "failOnDataLoss", "false"), Schema.EMPTY);
    assertThat(scan(TEXT, splits)).containsExactlyInAnyOrder("6@6", "7@7", "8@8", "whole@0");
    assertThat(counts).containsEntry("offsetOutOfRange", 1L).containsEntry("dataLoss", 4L);
    assertThat(scan(TEXT, split(topic, 0, 1, 4))).isEmpty();
    assertThat(counts).containsEntry("dataLoss", 3L);
    assertThat(scan(TEXT, split(topic, 0, 8, 9))).containsExactly("8@8");
    assertThat(counts).isEmpty();
  }

  @Test
  void recordsThatDoNotComeAreReportedAfterTheTimeout() {
    String topic = broker.topic(1);
    broker.send(topic, 0, "a");
    reader(broker.options(topic, "kafkaConsumer.pollTimeoutMs", "300"), Schema.EMPTY);
    assertThatThrownBy(() -> scan(TEXT, split(topic, 0, 0, 2)))
        .hasMessageContaining("did not deliver records in time");
  }

  @Test
  void csvValuesAreSplitIntoFieldsAndOtherValuesHaveNone() throws SQLException {
    String topic = broker.topic(1);
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put("a,", "[\"a\",\"\"]");
    expected.put("\"x,y\",\"say \"\"hi\"\"\"\r\n", "[\"x,y\",\"say \\\"hi\\\"\"]");
    expected.put("\"a\nb\",c", "[\"a\\nb\",\"c\"]");
    expected.put("über,ß", "[\"über\",\"ß\"]");
    expected.put("\"open,b", null);
    expected.put("a,b\nc,d", null);
    expected.put("\"a\"b,c", null);
    expected.put("a,b,NA", "[\"a\",\"b\",null]");
    expected.put("\"NA\",NA", "[\"NA\",null]");
    expected.put("", "[\"\"]");
    broker.send(topic, 0, expected.keySet().toArray(String[]::new));
    try (var producer = broker.producer(Map.of())) {
      Broker.await(producer, new ProducerRecord<>(topic, 0, "k", null));
      Broker.await(
          producer, new ProducerRecord<>(topic, 0, "k", new byte[] {'a', ',', (byte) 0xff}));
    }
    Schema declared = Schema.of("a", "VARCHAR", "b", "VARCHAR");
    reader(broker.options(topic, "format", "csv", "nullValue", "NA"), declared);
    List<String> fields = new ArrayList<>(expected.values());
    fields.addAll(Arrays.asList(null, null));
    assertThat(scan("to_json(fields)", split(topic, 0, 0, 12))).isEqualTo(fields);
    reader(
        broker.options(topic, "format", "csv", "sep", "|", "quote", "'", "escape", "\\"), declared);
    broker.send(topic, 0, "'b|\\'c'|\"d");
    assertThat(scan("to_json(fields)", split(topic, 0, 12, 13)))
        .containsExactly("[\"b|'c\",\"\\\"d\"]");
  }
}

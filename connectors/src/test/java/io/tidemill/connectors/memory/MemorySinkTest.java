package io.tidemill.connectors.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.staged.StagedWriter;
import io.tidemill.connectors.testing.Folder;
import io.tidemill.connectors.testing.SinkHarness;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemorySinkTest {
  private static final Schema ROWS = Schema.of("k", "VARCHAR", "v", "BIGINT");

  @TempDir Path temp;
  private final MemoryTables tables = new MemoryTables();

  private SinkHarness open(Schema rows, String query) {
    return new SinkHarness(temp, new MemorySinkConnector(tables), rows, Map.of("name", "T"), query);
  }

  private static void publish(
      SinkPublisher publisher, long batch, OutputMode mode, SinkPublisher.Staged... staged) {
    publisher.publish(Timeline.FIRST, new BatchId(batch), mode, List.of(staged));
  }

  private List<Map<String, Object>> rows() {
    return tables.find("t").orElseThrow().rows();
  }

  @Test
  void rowsOfABatchAppearOnceHoweverOftenItIsPublished() {
    try (SinkHarness sink = open(ROWS, "q1")) {
      var one = sink.staged("VALUES ('a', 1)", 0, 0, "x");
      var two = sink.staged("VALUES ('b', 2)", 0, 1, "y");
      publish(sink.publisher(), 0, OutputMode.APPEND, one, two);
      publish(sink.publisher(), 0, OutputMode.APPEND, one, two);
      assertThat(rows()).containsExactly(Map.of("k", "a", "v", 1L), Map.of("k", "b", "v", 2L));
      publish(sink.publisher(), 1, OutputMode.UPDATE, sink.staged("VALUES ('a', 9)", 1, 0, "z"));
      assertThat(rows()).hasSize(3);
      assertThat(tables.find("T").orElseThrow().schema()).isEqualTo(ROWS);
    }
  }

  @Test
  void completeModeReplacesAllRows() {
    try (SinkHarness sink = open(ROWS, "q1");
        SinkPublisher publisher = sink.publisher()) {
      publish(publisher, 0, OutputMode.COMPLETE, sink.staged("VALUES ('a', 1)", 0, 0, "x"));
      publish(publisher, 1, OutputMode.COMPLETE, sink.staged("VALUES ('a', 2)", 1, 0, "y"));
      assertThat(rows()).containsExactly(Map.of("k", "a", "v", 2L));
      publish(publisher, 2, OutputMode.COMPLETE);
      assertThat(rows()).isEmpty();
    }
  }

  @Test
  void anotherCheckpointStartsWithAnEmptyTable() {
    try (SinkHarness sink = open(ROWS, "q1")) {
      publish(sink.publisher(), 0, OutputMode.APPEND, sink.staged("VALUES ('a', 1)", 0, 0, "x"));
    }
    try (SinkHarness sink = open(ROWS, "q2")) {
      sink.publisher().close();
      assertThat(rows()).isEmpty();
    }
  }

  @Test
  void valuesAreTyped() {
    Schema schema =
        Schema.of(
            "h",
            "HUGEINT",
            "d",
            "DECIMAL(10,2)",
            "t",
            "TIMESTAMP",
            "day",
            "DATE",
            "l",
            "TIMESTAMP[]",
            "s",
            "STRUCT(a HUGEINT, b VARCHAR)",
            "m",
            "MAP(VARCHAR, DOUBLE)",
            "b",
            "BLOB",
            "n",
            "INTEGER");
    try (SinkHarness sink = open(schema, "q1")) {
      publish(
          sink.publisher(),
          0,
          OutputMode.APPEND,
          sink.staged(
              "SELECT 12345678901234567890123, 1.50, TIMESTAMP '2024-03-10 02:30:00.000001',"
                  + " DATE '2024-01-01', [TIMESTAMP '2024-01-01', NULL], {'a': 1, 'b': 'x'},"
                  + " MAP {'k': 1.5}, 'hi'::BLOB, NULL",
              0,
              0,
              "x"));
    }
    Map<String, Object> row = rows().get(0);
    assertThat(row.get("h")).isEqualTo(new BigInteger("12345678901234567890123"));
    assertThat(row.get("d")).isEqualTo(new BigDecimal("1.50"));
    assertThat(row.get("t")).isEqualTo(Instant.parse("2024-03-10T02:30:00.000001Z"));
    assertThat(row.get("day")).isEqualTo(LocalDate.of(2024, 1, 1));
    assertThat(row.get("l")).isEqualTo(Arrays.asList(Instant.parse("2024-01-01T00:00:00Z"), null));
    assertThat(row.get("s")).isEqualTo(Map.of("a", BigInteger.ONE, "b", "x"));
    assertThat(row.get("m")).isEqualTo(Map.of("k", 1.5));
    assertThat((byte[]) row.get("b")).containsExactly('h', 'i');
    assertThat(row).containsEntry("n", null);
  }

  @Test
  void manyRowsWaitInTheCheckpointAndAreRemovedWhenPublished() {
    try (SinkHarness sink = open(ROWS, "q1")) {
      var few = sink.staged("VALUES ('a', 1)", 0, 0, "few");
      assertThat(Folder.files(temp.resolve("checkpoint"))).isEmpty();
      assertThat(few.output().toString()).hasSizeLessThan(2 * StagedWriter.INLINE_BYTES_MAX);
      sink.staged("SELECT hash(i)::VARCHAR, i FROM range(5000) r(i)", 0, 1, "zombie");
      var many = sink.staged("SELECT hash(i)::VARCHAR, i FROM range(5000) r(i)", 0, 1, "many");
      assertThat(Folder.files(temp.resolve("checkpoint")))
          .containsExactly(
              "sink/sink_s/0/0000000000/s1/p1-many.parquet",
              "sink/sink_s/0/0000000000/s1/p1-zombie.parquet");
      publish(sink.publisher(), 0, OutputMode.APPEND, few, many);
      assertThat(rows()).hasSize(5001);
      assertThat(Folder.files(temp.resolve("checkpoint"))).isEmpty();
    }
  }

  @Test
  void aTaskMayWriteToASinkMoreThanOnce() {
    try (SinkHarness sink = open(ROWS, "q1")) {
      var first = sink.staged("SELECT hash(i)::VARCHAR, i FROM range(5000) r(i)", 0, 0, "x");
      var second = sink.staged("SELECT hash(i)::VARCHAR, -1 FROM range(5000) r(i)", 0, 0, "x");
      publish(sink.publisher(), 0, OutputMode.APPEND, first, second);
      assertThat(rows()).hasSize(10_000);
      assertThat(rows()).filteredOn(r -> r.get("v").equals(-1L)).hasSize(5000);
    }
  }

  @Test
  void aBatchPublishedByAProcessThatIsGoneDoesNotStopTheQuery() {
    try (SinkHarness sink = open(ROWS, "q1")) {
      var many = sink.staged("SELECT hash(i)::VARCHAR, i FROM range(5000) r(i)", 0, 0, "x");
      publish(sink.publisher(), 0, OutputMode.APPEND, many);
      tables.drop("t");
      publish(sink.publisher(), 0, OutputMode.APPEND, many);
      assertThat(rows()).isEmpty();
    }
  }
}

package io.tidemill.api;

import static io.tidemill.api.functions.col;
import static io.tidemill.api.functions.concat;
import static io.tidemill.api.functions.date_format;
import static io.tidemill.api.functions.lit;
import static io.tidemill.api.functions.sum;
import static io.tidemill.api.functions.window;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.orchestrator.StreamingQuery;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Traces recorded from Spark 4.2 (reference 6.4), written through the Java API. */
class GoldenTraceTest {
  private Session session;
  private MemoryStream events;
  private StreamingQuery query;
  private int seen;

  @BeforeEach
  void open() {
    session = Session.builder().master("local[1]").getOrCreate();
  }

  @AfterEach
  void close() {
    session.close();
  }

  private static Instant at(String second) {
    return Instant.parse("2024-01-01T00:00:" + second + "Z");
  }

  private void start(Dataset<Row> result, String mode) {
    query = result.writeStream().format("memory").queryName("result").outputMode(mode).start();
  }

  /** Adds a batch, waits until nothing more happens, and gives the rows that came out. */
  private List<String> step(Row... rows) throws InterruptedException {
    events.addData(rows);
    query.processAllAvailable();
    List<Row> all = session.table("result").collectAsList();
    List<String> fresh =
        all.subList(seen, all.size()).stream().map(Row::toString).sorted().toList();
    seen = all.size();
    return fresh;
  }

  private List<String> stepOfComplete(Row... rows) throws InterruptedException {
    seen = 0;
    return step(rows);
  }

  private Dataset<Row> sums() {
    events = MemoryStream.of(session, "events", "ts TIMESTAMP, v INT");
    return events
        .toDF()
        .withWatermark("ts", "10 seconds")
        .groupBy(window(col("ts"), "5 seconds"))
        .agg(sum("v").as("total"))
        .select(date_format(col("window.start"), "ss").as("start"), col("total"));
  }

  private static Row event(String second, int value) {
    return Row.of(at(second), value);
  }

  @Test
  void tumblingWindowsInAppendMode() throws InterruptedException {
    start(sums(), "append");
    assertThat(step(event("10", 1))).isEmpty();
    assertThat(step(event("25", 1))).containsExactly("[10,1]");
    assertThat(step(event("12", 5), event("14.999", 7), event("15", 9))).isEmpty();
    assertThat(step(event("40", 1))).containsExactly("[15,9]", "[25,1]");
    assertThat(step(event("26", 3), event("30", 4))).isEmpty();
    assertThat(query.lastProgress().orElseThrow().eventTime().orElseThrow().watermark())
        .isEqualTo("2024-01-01T00:00:30.000Z");
  }

  @Test
  void tumblingWindowsInUpdateMode() throws InterruptedException {
    start(sums(), "update");
    assertThat(step(event("10", 1))).containsExactly("[10,1]");
    assertThat(step(event("25", 1))).containsExactly("[25,1]");
    assertThat(step(event("12", 5), event("14.999", 7), event("15", 9))).containsExactly("[15,9]");
    assertThat(step(event("40", 1))).containsExactly("[40,1]");
    assertThat(step(event("26", 3), event("30", 4))).containsExactly("[30,4]");
  }

  @Test
  void tumblingWindowsInCompleteMode() throws InterruptedException {
    start(sums(), "complete");
    assertThat(stepOfComplete(event("10", 1))).containsExactly("[10,1]");
    assertThat(stepOfComplete(event("25", 1))).containsExactly("[10,1]", "[25,1]");
    assertThat(stepOfComplete(event("12", 5), event("14.999", 7), event("15", 9)))
        .containsExactly("[10,13]", "[15,9]", "[25,1]");
    assertThat(stepOfComplete(event("40", 1)))
        .containsExactly("[10,13]", "[15,9]", "[25,1]", "[40,1]");
    assertThat(stepOfComplete(event("26", 3), event("30", 4)))
        .containsExactly("[10,13]", "[15,9]", "[25,4]", "[30,4]", "[40,1]");
  }

  private Dataset<Row> keyed() {
    events = MemoryStream.of(session, "events", "k STRING, ts TIMESTAMP");
    return events.toDF().withWatermark("ts", "10 seconds");
  }

  private static Row key(String key, String second) {
    return Row.of(key, at(second));
  }

  private Dataset<Row> shown(Dataset<Row> rows) {
    return rows.select(concat(col("k"), lit("@"), date_format(col("ts"), "ss.SSS")).as("row"));
  }

  @Test
  void duplicatesByKeyAndTime() throws InterruptedException {
    start(shown(keyed().dropDuplicates("k", "ts")), "append");
    assertThat(step(key("a", "10"), key("a", "10"))).containsExactly("[a@10.000]");
    assertThat(step(key("a", "30"))).containsExactly("[a@30.000]");
    assertThat(step(key("a", "10"), key("b", "20"), key("b", "20.001")))
        .containsExactly("[b@20.001]");
    assertThat(step(key("c", "31"))).containsExactly("[c@31.000]");
  }

  @Test
  void duplicatesByKeyDropLateRowsToo() throws InterruptedException {
    start(shown(keyed().dropDuplicates("k")), "append");
    assertThat(step(key("a", "10"))).containsExactly("[a@10.000]");
    assertThat(step(key("b", "30"))).containsExactly("[b@30.000]");
    assertThat(step(key("c", "19"))).isEmpty();
    assertThat(step(key("d", "19"))).isEmpty();
    assertThat(query.lastProgress().orElseThrow().stateOperators().get(0).numRowsTotal())
        .isEqualTo(2);
  }

  @Test
  void duplicatesWithinTheWatermark() throws InterruptedException {
    start(shown(keyed().dropDuplicatesWithinWatermark("k")), "append");
    assertThat(step(key("a", "10"))).containsExactly("[a@10.000]");
    assertThat(step(key("a", "19"))).isEmpty();
    assertThat(step(key("a", "29"))).isEmpty();
    assertThat(step(key("b", "40"))).containsExactly("[b@40.000]");
    assertThat(step(key("a", "41"))).containsExactly("[a@41.000]");
  }

  @Test
  void aLimitCountsForTheLifeOfTheQuery() throws InterruptedException {
    events = MemoryStream.of(session, "events", "v INT");
    start(events.toDF().limit(3), "append");
    assertThat(step(Row.of(1), Row.of(2))).hasSize(2);
    assertThat(step(Row.of(3), Row.of(4))).hasSize(1);
    assertThat(step(Row.of(5))).isEmpty();
  }
}

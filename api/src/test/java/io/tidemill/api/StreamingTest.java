package io.tidemill.api;

import static io.tidemill.api.functions.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries over streams, run in this process from source to sink. */
class StreamingTest {
  @TempDir private Path directory;
  private Session session;

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

  private List<String> result() {
    return session.table("result").collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private static DataStreamWriter<Row> toMemory(Dataset<Row> rows) {
    return rows.writeStream().format("memory").queryName("result");
  }

  private static String event(String key, int value, String second) {
    return "{\"k\":\""
        + key
        + "\",\"v\":"
        + value
        + ",\"at\":\"2024-01-01T00:00:"
        + second
        + "Z\"}";
  }

  @Test
  void aWatermarkMayStandOnATimeThatTheQueryReadsFromJson() throws InterruptedException {
    MemoryStream records = MemoryStream.of(session, "records", "value BINARY, topic STRING");
    Dataset<Row> counts =
        records
            .toDF()
            .select(from_json(col("value").cast("string"), "k STRING, v INT, at STRING").as("e"))
            .select("e.*")
            .withColumn("time", to_timestamp(col("at")))
            .filter("v > 0")
            .withWatermark("time", "10 seconds")
            .groupBy(window(col("time"), "5 seconds"), col("k"))
            .agg(sum("v").as("total"))
            .select(date_format(col("window.start"), "ss"), col("k"), col("total"));
    StreamingQuery query = toMemory(counts).start();
    records.addData(Row.of(event("a", 1, "10"), "t"), Row.of(event("a", -5, "59"), "t"));
    query.processAllAvailable();
    assertThat(query.lastProgress().orElseThrow().eventTime().orElseThrow().watermark())
        .isEqualTo("2024-01-01T00:00:00.000Z");
    records.addData(Row.of(event("b", 2, "26"), "t"), Row.of("{bad", "t"));
    query.processAllAvailable();
    assertThat(result()).containsExactly("[10,a,1]");
    records.addData(Row.of(event("late", 9, "11"), "t"), Row.of(event("c", 1, "45"), "t"));
    query.processAllAvailable();
    assertThat(result()).containsExactly("[10,a,1]", "[25,b,2]");
  }

  @Test
  void aStreamIsJoinedWithAStaticTable() throws Exception {
    Path file = Files.writeString(directory.resolve("names.csv"), "a,Ada\nb,Bob\n");
    Dataset<Row> names = session.read().schema("k STRING, name STRING").csv(file.toString());
    MemoryStream events = MemoryStream.of(session, "events", "k STRING, v INT");
    StreamingQuery query =
        toMemory(
                events
                    .toDF()
                    .join(names, new String[] {"k"}, "left")
                    .groupBy("name")
                    .agg(sum("v").as("total")))
            .outputMode(OutputMode.Complete())
            .start();
    events.addData(Row.of("a", 1), Row.of("c", 2));
    events.addData(Row.of("a", 3));
    query.processAllAvailable();
    assertThat(result()).containsExactly("[Ada,4]", "[null,2]");
  }

  @Test
  void windowsOfWindowsAddUp() throws InterruptedException {
    MemoryStream events = MemoryStream.of(session, "events", "ts TIMESTAMP");
    Dataset<Row> small =
        events
            .toDF()
            .withWatermark("ts", "0 seconds")
            .groupBy(window(col("ts"), "5 seconds"))
            .count();
    Dataset<Row> large =
        small
            .groupBy(window(window_time(col("window")), "10 seconds"))
            .agg(sum("count").as("n"))
            .select(date_format(col("window.start"), "ss"), col("n"));
    assertThat(small.groupBy(window(col("window"), "10 seconds")).count().columns())
        .containsExactly("window", "count");
    assertThat(small.select(window_time(col("window")).as("at_time")).dtypes())
        .containsEntry("at_time", "TIMESTAMP");
    StreamingQuery query = toMemory(large).start();
    events.addData(Row.of(at("01")), Row.of(at("06")), Row.of(at("07")));
    query.processAllAvailable();
    events.addData(Row.of(at("40")));
    query.processAllAvailable();
    assertThat(result()).containsExactly("[00,3]");
  }

  @Test
  void aggregatesWorkOnStreams() throws InterruptedException {
    MemoryStream events = MemoryStream.of(session, "events", "s STRING, v INT");
    StreamingQuery query =
        toMemory(
                events
                    .toDF()
                    .agg(
                        countDistinct("s"),
                        collect_set("s").as("set"),
                        max_by(col("s"), col("v")).as("best"),
                        approx_count_distinct("v"),
                        avg("v"),
                        sum("v").plus(1).as("more")))
            .outputMode("complete")
            .start();
    events.addData(Row.of("a", 1), Row.of("b", 2));
    events.addData(Row.of("a", 3), Row.of(null, 6));
    query.processAllAvailable();
    Row row = session.table("result").collectAsList().get(0);
    assertThat(row.getLong(0)).isEqualTo(2);
    assertThat(row.<String>getList(1)).containsExactlyInAnyOrder("a", "b");
    assertThat(row.isNullAt(2)).isTrue();
    assertThat(row.getLong(3)).isEqualTo(4);
    assertThat(row.getDouble(4)).isEqualTo(3.0);
    assertThat(row.getLong(row.fieldIndex("more"))).isEqualTo(13);
  }

  @Test
  void unionsAndSqlOverViewsAreStreamsToo() throws InterruptedException {
    MemoryStream left = MemoryStream.of(session, "lefts", "v INT");
    MemoryStream right = MemoryStream.of(session, "rights", "v INT");
    left.toDF().union(right.toDF()).createOrReplaceTempView("both_sides");
    Dataset<Row> sums = session.sql("SELECT v % 2 AS odd, sum(v) AS s FROM both_sides GROUP BY 1");
    StreamingQuery query = toMemory(sums).outputMode("complete").start();
    left.addData(Row.of(1), Row.of(2));
    right.addData(Row.of(3));
    query.processAllAvailable();
    assertThat(result()).containsExactly("[0,2]", "[1,4]");
    assertThat(sums.isStreaming()).isTrue();
    assertThatThrownBy(sums::collectAsList).hasMessageContaining("which has no end");
  }

  private DataStreamWriter<Row> revenue() {
    return session
        .readStream()
        .schema("k STRING, v DECIMAL(10,2), ts TIMESTAMP NOT NULL")
        .option("maxFilesPerTrigger", 1)
        .json(directory.resolve("in").toString())
        .withWatermark("ts", "10 seconds")
        .groupBy(window(col("ts"), "5 seconds"), col("k"))
        .agg(sum("v").as("total"))
        .select(date_format(col("window.start"), "ss").as("start"), col("k"), col("total"))
        .writeStream()
        .format("parquet")
        .partitionBy("k")
        .option("checkpointLocation", directory.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow());
  }

  private void file(String name, String... lines) throws Exception {
    Path folder = Files.createDirectories(directory.resolve("in"));
    Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  private static String line(String key, String value, String second) {
    return "{\"k\":\"" + key + "\",\"v\":" + value + ",\"ts\":\"2024-01-01 00:00:" + second + "\"}";
  }

  @Test
  void filesBecomeWindowsInFilesAndARestartCarriesOn() throws Exception {
    file("1.json", line("a", "1.50", "10"), line("a", "2.25", "11"));
    file("2.json", line("b", "1", "30"));
    String out = directory.resolve("out").toString();
    revenue().start(out).awaitTermination();
    Dataset<Row> written = session.read().parquet(out);
    assertThat(written.select("start", "total", "k").collectAsList().toString())
        .isEqualTo("[[10,3.75,a]]");
    file("3.json", line("a", "9", "55"));
    StreamingQuery second = revenue().start(out);
    second.awaitTermination();
    assertThat(second.lastProgress().orElseThrow().numInputRows()).isZero();
    assertThat(
            session
                .read()
                .parquet(out)
                .select("start", "total", "k")
                .sort("start")
                .collectAsList()
                .toString())
        .isEqualTo("[[10,3.75,a], [30,1.00,b]]");
  }

  @Test
  void malformedRecordsGoWhereTheReaderSays() throws Exception {
    file("1.json", line("a", "1", "10"), "{bad");
    String letters = directory.resolve("letters").toString();
    toMemory(
            session
                .readStream()
                .schema("k STRING, v INT")
                .deadLetters("json", Map.of("path", letters))
                .json(directory.resolve("in").toString()))
        .trigger(Trigger.Once())
        .start()
        .awaitTermination();
    assertThat(result()).containsExactly("[a,1]");
    assertThat(session.read().schema("error STRING, stream STRING").json(letters).collectAsList())
        .hasSize(1);
    StreamingQuery failing =
        session
            .readStream()
            .schema("k STRING, v INT")
            .json(directory.resolve("in").toString())
            .writeStream()
            .format("noop")
            .start();
    assertThatThrownBy(failing::awaitTermination)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD));
  }

  @Test
  void aQueryThatCannotRunIsRefusedAtStart() {
    MemoryStream events = MemoryStream.of(session, "events", "k STRING, v INT");
    Dataset<Row> counts = events.toDF().groupBy("k").count();
    assertThatThrownBy(() -> toMemory(counts).start()).hasMessageContaining("needs a watermark");
    assertThatThrownBy(() -> counts.writeStream().outputMode("apend"))
        .hasMessageContaining("Did you mean 'append'?");
    assertThatThrownBy(() -> counts.writeStream().outputMode("update").start("out"))
        .hasMessageContaining("names no checkpoint");
    assertThatThrownBy(
            () ->
                counts
                    .writeStream()
                    .outputMode("complete")
                    .option("checkpointLocation", "x")
                    .option("path", directory.toString())
                    .start())
        .hasMessageContaining("does not take output mode complete");
    assertThatThrownBy(() -> events.toDF().withWatermark("k", "1 second").writeStream().start())
        .hasMessageContaining("checkpoint");
    assertThatThrownBy(() -> toMemory(events.toDF().withWatermark("k", "1 second")).start())
        .hasMessageContaining("needs a TIMESTAMP column; k is VARCHAR");
    Dataset<Row> twice = events.toDF().select(col("k"), col("v").as("k"));
    assertThatThrownBy(() -> toMemory(twice).start()).hasMessageContaining("the same name");
    assertThatThrownBy(() -> session.readStream().format("kafkaa").load())
        .hasMessageContaining("Did you mean 'kafka'?");
    assertThatThrownBy(() -> session.readStream().schema("k NO_TYPE"))
        .hasMessageContaining("no such type");
  }
}

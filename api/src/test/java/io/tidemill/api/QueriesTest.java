package io.tidemill.api;

import static io.tidemill.api.functions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queries as a session keeps them, and batches handed to functions. */
class QueriesTest {
  @TempDir private Path directory;
  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
  private Session session;
  private MemoryStream events;

  @BeforeEach
  void open() {
    session = Session.builder().appName("test").master("local[2]").getOrCreate();
    events = MemoryStream.of(session, "events", "k STRING, v INT");
  }

  @AfterEach
  void close() {
    session.close();
  }

  private void note(Dataset<Row> batch, long id) {
    seen.add(id + ": " + batch.sort("v").collectAsList());
  }

  @Test
  void aFunctionIsHandedEachBatchWithItsId() throws InterruptedException {
    StreamingQuery query = events.toDF().writeStream().foreachBatch(this::note).start();
    events.addData(Row.of("a", 2), Row.of("b", 1));
    events.addData();
    events.addData(Row.of("c", 3));
    query.processAllAvailable();
    assertThat(seen).containsExactly("0: [[b,1], [a,2]]", "2: [[c,3]]");
  }

  @Test
  void aBatchComesAgainWhenItsFunctionFailed() throws InterruptedException {
    String checkpoint = directory.resolve("checkpoint").toString();
    StreamingQuery failing =
        events
            .toDF()
            .writeStream()
            .queryName("q")
            .option("checkpointLocation", checkpoint)
            .foreachBatch(
                (batch, id) -> {
                  note(batch, id);
                  throw new IllegalStateException("no room");
                })
            .start();
    events.addData(Row.of("a", 1));
    assertThatThrownBy(failing::awaitTermination)
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUERY_FAILED))
        .hasMessageContaining("foreachBatch failed")
        .hasRootCauseMessage("no room");
    StreamingQuery next =
        events
            .toDF()
            .writeStream()
            .queryName("q")
            .option("checkpointLocation", checkpoint)
            .foreachBatch(this::note)
            .start();
    events.addData(Row.of("b", 2));
    next.processAllAvailable();
    assertThat(seen).containsExactly("0: [[a,1]]", "0: [[a,1]]", "1: [[b,2]]");
    assertThat(next.id()).isEqualTo(failing.id());
  }

  @Test
  void theSessionKnowsWhatRuns() throws InterruptedException {
    StreamingQuery query = events.toDF().writeStream().format("noop").queryName("one").start();
    assertThat(session.streams().active()).containsExactly(query);
    assertThat(session.streams().get(query.id().toString())).contains(query);
    assertThat(query.name()).isEqualTo("one");
    assertThatThrownBy(() -> events.toDF().writeStream().format("noop").queryName("one").start())
        .hasMessageContaining("runs already");
    assertThat(session.streams().awaitAnyTermination(1)).isFalse();
    query.stop();
    session.streams().awaitAnyTermination();
    assertThat(session.streams().active()).isEmpty();
    session.streams().resetTerminated();
    assertThat(session.streams().awaitAnyTermination(1)).isFalse();
  }

  @Test
  void waitingForAnyQueryThrowsTheErrorItEndedWith() {
    events.toDF().selectExpr("CAST(k AS INTEGER) AS n").writeStream().format("noop").start();
    events.addData(Row.of("no number", 1));
    assertThatThrownBy(() -> session.streams().awaitAnyTermination())
        .hasMessageContaining("failed on a row");
  }

  @Test
  void listenersHearOfAllQueries() throws InterruptedException {
    StreamingQueryListener listener =
        new StreamingQueryListener() {
          @Override
          public void onQueryStarted(QueryStartedEvent event) {
            seen.add("started " + event.name());
          }

          @Override
          public void onQueryProgress(QueryProgressEvent event) {
            seen.add("rows " + event.progress().numInputRows());
          }

          @Override
          public void onQueryTerminated(QueryTerminatedEvent event) {
            seen.add("ended");
          }
        };
    session.streams().addListener(listener);
    StreamingQuery query = events.toDF().writeStream().format("noop").queryName("q").start();
    events.addData(Row.of("a", 1));
    query.processAllAvailable();
    query.stop();
    session.streams().removeListener(listener);
    assertThat(seen).containsExactly("started q", "rows 1", "ended");
    assertThat(session.streams().listListeners()).isEmpty();
  }

  @Test
  void settingsCountForQueriesStartedLater() {
    session.conf().set("spark.sql.streaming.noDataMicroBatches.enabled", false);
    session.conf().set("checkpointLocation", directory.toString());
    assertThat(session.conf().get("noDataBatches")).contains("false");
    PlannedQuery planned =
        new Starting(session, "q", true, "parquet", "append", Map.of("path", "out"))
            .plan(events.toDF().step(), Optional.empty());
    assertThat(planned.plan().settings().noDataBatches()).isFalse();
    assertThat(planned.checkpoint()).contains(directory.resolve("q").toString());
    session.conf().unset("noDataBatches");
    assertThat(session.conf().get("noDataBatches")).isEmpty();
    assertThatThrownBy(() -> session.conf().set("noDataBatch", true))
        .hasMessageContaining("Did you mean 'noDataBatches'?");
    assertThatThrownBy(() -> Session.builder().master("spark://host"))
        .hasMessageContaining("runs in its process");
  }

  @Test
  void theSameProgramGivesTheSamePlan() {
    String first = fingerprint(session, events);
    try (Session other = Session.builder().getOrCreate()) {
      other.createDataFrame(List.of(Row.of(1)), "x INT").select("x");
      MemoryStream same = MemoryStream.of(other, "events", "k STRING, v INT");
      assertThat(fingerprint(other, same)).isEqualTo(first);
    }
  }

  @Test
  void aSourceReadsOnlyWhatTheQueryUses() {
    Dataset<Row> records =
        session
            .readStream()
            .format("kafka")
            .option("kafka.bootstrap.servers", "localhost:9")
            .option("subscribe", "orders")
            .load();
    Dataset<Row> texts =
        records
            .withColumn("text", col("value").cast("string"))
            .filter("partition < 3")
            .selectExpr("text AS value");
    PlannedQuery planned =
        new Starting(session, "q", true, "noop", "append", Map.of())
            .plan(texts.step(), Optional.empty());
    assertThat(planned.plan().sources().get(0).columns())
        .containsExactlyInAnyOrder("value", "partition");
    assertThat(records.columns()).contains("key", "value", "topic", "offset", "timestamp");
  }

  private static String fingerprint(Session session, MemoryStream events) {
    Dataset<Row> counts = events.toDF().filter(col("v").gt(0)).groupBy("k").count();
    return new Starting(session, "q", true, "noop", "update", Map.of())
        .plan(counts.step(), Optional.empty())
        .plan()
        .fingerprint();
  }
}

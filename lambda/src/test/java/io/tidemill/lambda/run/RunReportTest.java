package io.tidemill.lambda.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.lambda.platform.EmbeddedMetrics;
import io.tidemill.orchestrator.StreamingQueryListener.QueryProgressEvent;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.orchestrator.progress.SinkProgress;
import io.tidemill.orchestrator.progress.SourceProgress;
import io.tidemill.orchestrator.progress.StateOperatorProgress;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.aws.AwsCalls;
import io.tidemill.storage.aws.Pause;
import io.tidemill.storage.aws.Retries;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunReportTest {
  private static final String QUERY = "revenue";

  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final AwsCalls calls = new AwsCalls();
  private final RunTotals totals = new RunTotals();
  private Instant now = Instant.parse("2026-03-01T00:00:00Z");

  private final RunReport report =
      new RunReport(
          new EmbeddedMetrics("Tidemill", new PrintStream(log, true, UTF_8), () -> now),
          () -> now,
          calls,
          QUERY,
          totals);

  /** The values that CloudWatch takes from the one line that was written. */
  private Map<String, Long> sent() {
    JsonNode line = Json.read(log.toByteArray(), JsonNode.class);
    assertThat(line.path("Query").asText()).isEqualTo(QUERY);
    Map<String, Long> values = new TreeMap<>();
    line.path("_aws")
        .path("CloudWatchMetrics")
        .path(0)
        .path("Metrics")
        .forEach(
            metric -> {
              String name = metric.path("Name").asText();
              values.put(name, line.path(name).longValue());
            });
    return values;
  }

  private static JsonNode json(String text) {
    return Json.read(text.getBytes(UTF_8), JsonNode.class);
  }

  private static SourceProgress source(String end, String latest, long rows, long malformed) {
    return new SourceProgress(
        "kafka[orders]",
        json("null"),
        json(end),
        json(latest),
        rows,
        Optional.empty(),
        Optional.empty(),
        Map.of("numMalformedRows", Long.toString(malformed)));
  }

  private void batch(long id, long outputRows, long lateRows, SourceProgress... sources) {
    totals.onQueryProgress(
        new QueryProgressEvent(
            new QueryProgress(
                new QueryId("q"),
                "run",
                QUERY,
                now.toString(),
                id,
                1,
                0,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                List.of(
                    new StateOperatorProgress("stateStoreSave", 0, 0, 0, 0, lateRows, 1, Map.of())),
                List.of(sources),
                new SinkProgress("files", outputRows))));
  }

  private void end(RunAnswer.Outcome outcome) {
    report.ended(totals.answer(QUERY, outcome));
  }

  @Test
  void batchesAreAddedUpAndTheBacklogIsThatOfTheLast() {
    batch(
        7,
        10,
        1,
        source("{\"orders\":{\"0\":50,\"1\":50}}", "{\"orders\":{\"0\":900,\"1\":900}}", 100, 2));
    batch(
        8,
        20,
        3,
        source("{\"orders\":{\"0\":200,\"1\":100}}", "{\"orders\":{\"0\":500,\"1\":400}}", 200, 0),
        source("{\"o\":{\"0\":4}}", "{\"o\":{\"0\":4}}", 100, 1));
    now = now.plusMillis(2_000);
    end(RunAnswer.Outcome.DONE);

    assertThat(sent())
        .isEqualTo(
            Map.of(
                "Runs", 1L,
                "Batches", 2L,
                "InputRows", 400L,
                "OutputRows", 30L,
                "LateRows", 4L,
                "MalformedRows", 3L,
                "RunMillis", 2_000L,
                // 300 and 300 rows behind, at 400 rows in two seconds.
                "BacklogMillis", 3_000L));
    assertThat(totals.answer(QUERY, RunAnswer.Outcome.DONE).lastBatch()).hasValue(8);
  }

  @Test
  void aRunWithNothingToDoSaysThatItAskedTheSources() {
    end(RunAnswer.Outcome.DONE);
    assertThat(sent()).isEqualTo(Map.of("Runs", 1L, "InputRows", 0L));
  }

  @Test
  void aRunThatFoundAnotherAtWorkSaysNothingOfTheSources() {
    end(RunAnswer.Outcome.ACTIVE);
    assertThat(sent()).isEqualTo(Map.of("Runs", 1L));
  }

  @Test
  void filesHaveNoBacklogInRows() {
    batch(
        0,
        1,
        0,
        source(
            "{\"logOffset\":0,\"newest\":5,\"notes\":[]}",
            "{\"listing\":1,\"newest\":5000,\"files\":3}",
            100,
            0));
    now = now.plusMillis(500);
    end(RunAnswer.Outcome.CONTINUED);
    assertThat(sent()).containsEntry("BacklogMillis", 0L).containsEntry("RunMillis", 500L);
  }

  @Test
  void onlyThrottlesOfTheRunAreSent() {
    Retries retries = new Retries(new SplittableRandom(1), Pause.waiting(), calls);
    retries.throttled();
    retries.throttled();
    RunReport second =
        new RunReport(
            new EmbeddedMetrics("Tidemill", new PrintStream(log, true, UTF_8), () -> now),
            () -> now,
            calls,
            QUERY,
            totals);
    retries.throttled();
    second.ended(totals.answer(QUERY, RunAnswer.Outcome.DONE));
    assertThat(sent()).containsEntry("StorageThrottles", 1L);
  }

  @Test
  void aFailureIsTheSourcesOrTheQuerysOrNobodys() {
    report.failed(new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, "away"));
    assertThat(sent()).isEqualTo(Map.of("Runs", 1L, "SourceUnavailable", 1L));
    log.reset();
    report.failed(new TidemillException(ErrorCode.MALFORMED_RECORD, "wrong"));
    assertThat(sent()).isEqualTo(Map.of("Runs", 1L, "RunsFailed", 1L));
    log.reset();
    report.failed(new TidemillException(ErrorCode.HEAD_CONFLICT, "lost"));
    assertThat(sent()).isEqualTo(Map.of("Runs", 1L));
  }
}

package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Connectors;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Trigger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LocalJobsTest {
  private static final String JOB =
      """
      CREATE STREAM events (k VARCHAR NOT NULL, ts TIMESTAMP NOT NULL,
        WATERMARK FOR ts AS ts - INTERVAL 10 SECONDS)
      WITH (connector = 'json', path = '${IN}', maxFilesPerTrigger = '1');
      CREATE SINK counts WITH (connector = 'parquet', path = '${OUT}');
      SET trigger = 'available-now';
      INSERT INTO counts
      SELECT window_start, k, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 5 SECONDS)
      GROUP BY window_start, k;
      """;

  @TempDir private Path directory;
  private final StringWriter printed = new StringWriter();
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private final JobTotals totals =
      new JobTotals(new LineDisplay(new PrintStream(shown, true, StandardCharsets.UTF_8)), false);

  @BeforeEach
  void writeJobAndInput() throws IOException {
    Files.writeString(directory.resolve("job.sql"), JOB);
    Files.createDirectories(directory.resolve("in"));
    Files.writeString(
        directory.resolve("in/1.json"), "{\"k\":\"a\",\"ts\":\"2026-03-01T00:00:01Z\"}\n");
    Files.writeString(
        directory.resolve("in/2.json"), "{\"k\":\"b\",\"ts\":\"2026-03-01T00:01:00Z\"}\n");
  }

  @Test
  void aJobRunsToItsEndAndTheCheckpointShowsIt() throws InterruptedException {
    LocalJobs.run(request(Optional.of(directory.resolve("checkpoint"))), totals, new JobRun());

    assertThat(totals.inputRows()).isEqualTo(2);
    assertThat(totals.outputRows()).isEqualTo(1);
    assertThat(shown.toString(StandardCharsets.UTF_8)).contains("counts batch 0: 1 rows");
    assertThat(show(directory.resolve("checkpoint"))).isZero();
    assertThat(printed.toString())
        .contains("query counts", "watermark  2026-03-01T00:00:50.000Z", "owner      nobody")
        .contains("state      stage 1: 1 rows");
  }

  @Test
  void aJobWithoutCheckpointIsRefusedIfItsResultStays() {
    assertThatThrownBy(() -> LocalJobs.run(request(Optional.empty()), totals, new JobRun()))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining("--checkpoint");
  }

  @Test
  void theCommandLineReplacesTriggerAndCheckpoint() {
    JobRequest request =
        new JobRequest(
            directory.resolve("job.sql").toString(),
            Map.of("IN", directory.resolve("in").toString(), "OUT", "out"),
            Optional.of(Trigger.once()),
            Optional.of("elsewhere"),
            false);

    QueryPlan plan = plan(request);

    assertThat(plan.settings().trigger()).isEqualTo(Trigger.once());
    assertThat(plan.settings().checkpoint()).isEqualTo("elsewhere");
  }

  @Test
  void aPlanIsDrawnFromSourceToSink() {
    QueryPlan plan = plan(request(Optional.empty()));

    assertThat(PlanText.of(plan, connectors()))
        .containsSubsequence(
            "query counts",
            "output mode  append, legal for this query",
            "guarantee    exactly once, by name",
            "source events: json",
            "watermark 10s behind the newest ts",
            "malformed records fail the query",
            "stage 0: a task per range of the source",
            "shuffle by",
            "stage 1: a task per shard, from the shuffle of stage 0",
            "state stateStoreSave",
            "sink counts: parquet");
  }

  @Test
  void aFolderWithoutCheckpointIsAnError() {
    assertThat(show(directory)).isEqualTo(2);
    assertThat(printed.toString()).startsWith("error: There is no checkpoint here.");
  }

  private JobRequest request(Optional<Path> checkpoint) {
    return new JobRequest(
        directory.resolve("job.sql").toString(),
        Map.of(
            "IN", directory.resolve("in").toString(), "OUT", directory.resolve("out").toString()),
        Optional.empty(),
        checkpoint.map(Path::toString),
        false);
  }

  private Connectors connectors() {
    return LocalJobs.connectors(LocalJobs.locations(directory).locations());
  }

  private QueryPlan plan(JobRequest request) {
    return LocalJobs.plans(request, connectors(), LocalJobs.locations(directory).locations())
        .get(0);
  }

  private int show(Path checkpoint) {
    return CommandLines.configure(new CommandLine(new CheckpointShowCommand()))
        .setOut(new PrintWriter(printed))
        .setErr(new PrintWriter(printed, true))
        .execute(checkpoint.toString());
  }
}

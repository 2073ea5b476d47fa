package io.tidemill.golden;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that end by themselves, one after another on one checkpoint, with a row per file. */
class TriggerTraceTest {
  private static final String COUNTS =
      """
      SELECT window_start, count(*) AS n FROM TUMBLE(events, ts, INTERVAL 5 SECONDS)
      GROUP BY window_start
      """;

  @TempDir Path directory;

  private void trace(String trigger, String trace) throws Exception {
    Job job = new Job(directory, "ts TIMESTAMP, " + Job.WATERMARK, "append", COUNTS);
    try (Steps runs = new CommandRuns(job, trigger)) {
      Script.check(runs, trace);
    }
  }

  @Test
  void availableNowTakesAFilePerBatchAndEndsWithTheBatchWithoutData() throws Exception {
    trace(
        "available-now",
        """
        00:10
        00:30
        00:50
        ----
        batch 0: 1 rows, watermark none, state 1 -> nothing
        batch 1: 1 rows, watermark 00:00, state 2 -> nothing
        batch 2: 1 rows, watermark 00:20, state 2 -> 00:10 1
        batch 3: 0 rows, watermark 00:40, state 1 -> 00:30 1

        no input
        ----
        no batch

        01:10
        ----
        batch 4: 1 rows, watermark 00:40, state 2 -> nothing
        batch 5: 0 rows, watermark 01:00, state 1 -> 00:50 1

        no input
        ----
        no batch
        """);
  }

  @Test
  void onceTakesAllThereIsInOneBatchAndEmitsInTheNextRun() throws Exception {
    trace(
        "once",
        """
        00:10
        00:30
        00:50
        ----
        batch 0: 3 rows, watermark none, state 3 -> nothing

        no input
        ----
        no batch

        01:10
        ----
        batch 1: 1 rows, watermark 00:40, state 2 -> 00:10 1; 00:30 1

        no input
        ----
        no batch
        """);
  }
}

package io.tidemill.golden;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules of sections 6.1 and 6.2 of the reference that the traces of 6.4 do not show. */
class WatermarkRulesTest {
  private static final String SUMS =
      """
      SELECT window_start, sum(v) AS total FROM TUMBLE(events, ts, INTERVAL 5 SECONDS)
      GROUP BY window_start
      """;

  @TempDir Path directory;

  private void trace(String trace) throws Exception {
    Job job = new Job(directory, "ts TIMESTAMP, v INT, " + Job.WATERMARK, "append", SUMS);
    try (Steps query = new LiveQuery(job)) {
      Script.check(query, trace);
    }
  }

  @Test
  void rowBehindTheWatermarkCountsWhileItsWindowIsOpen() throws Exception {
    trace(
        """
        00:27,1
        ----
        batch 0: 1 rows, watermark none, state 1 -> nothing
        batch 1: 0 rows, watermark 00:17, state 1 -> nothing

        00:14.999,5
        00:15,9
        ----
        batch 2: 2 rows, watermark 00:17, state 2, late 1 in 1 -> nothing

        00:30,1
        ----
        batch 3: 1 rows, watermark 00:17, state 3 -> nothing
        batch 4: 0 rows, watermark 00:20, state 2 -> 00:15 9
        """);
  }

  @Test
  void watermarkNeverGoesBackAndRowsOfOneBatchDoNotMakeEachOtherLate() throws Exception {
    trace(
        """
        00:40,1
        00:10,2
        ----
        batch 0: 2 rows, watermark none, state 2 -> nothing
        batch 1: 0 rows, watermark 00:30, state 1 -> 00:10 2

        00:31,4
        ----
        batch 2: 1 rows, watermark 00:30, state 2 -> nothing

        no input
        ----
        no batch
        """);
  }

  @Test
  void watermarkSurvivesARestartAfterWhichOnlyInputRunsABatch() throws Exception {
    trace(
        """
        00:25,1
        ----
        batch 0: 1 rows, watermark none, state 1 -> nothing
        batch 1: 0 rows, watermark 00:15, state 1 -> nothing

        restart
        ----
        no batch

        restart
        00:12,5
        00:35,1
        ----
        batch 2: 2 rows, watermark 00:15, state 2, late 1 in 1 -> nothing
        batch 3: 0 rows, watermark 00:25, state 2 -> nothing

        restart
        00:26,2
        ----
        batch 4: 1 rows, watermark 00:25, state 2 -> nothing
        """);
  }

  @Test
  void rowWithoutTimeIsInNoWindowAndIsNotLate() throws Exception {
    trace(
        """
        00:25,1
        ,7
        ----
        batch 0: 2 rows, watermark none, state 1 -> nothing
        batch 1: 0 rows, watermark 00:15, state 1 -> nothing

        ,8
        ----
        batch 2: 1 rows, watermark 00:15, state 1 -> nothing
        """);
  }
}

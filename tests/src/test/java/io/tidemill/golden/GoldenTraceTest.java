package io.tidemill.golden;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows, deduplication and limits, with a file per batch and ten seconds of delay. */
class GoldenTraceTest {
  private static final String EVENTS = "ts TIMESTAMP, v INT, " + Job.WATERMARK;
  private static final String KEYS = "k VARCHAR, ts TIMESTAMP, " + Job.WATERMARK;
  private static final String SUMS =
      """
      SELECT window_start, sum(v) AS total FROM TUMBLE(events, ts, INTERVAL 5 SECONDS)
      GROUP BY window_start
      """;

  @TempDir Path directory;

  private void trace(String columns, String mode, String select, String trace) throws Exception {
    try (Steps query = new LiveQuery(new Job(directory, columns, mode, select))) {
      Script.check(query, trace);
    }
  }

  @Test
  void windowIsEmittedOnceInAppendModeWhenTheWatermarkReachesItsEnd() throws Exception {
    trace(
        EVENTS,
        "append",
        SUMS,
        """
        00:10,1
        ----
        batch 0: 1 rows, watermark none, state 1 -> nothing
        batch 1: 0 rows, watermark 00:00, state 1 -> nothing

        00:25,1
        ----
        batch 2: 1 rows, watermark 00:00, state 2 -> nothing
        batch 3: 0 rows, watermark 00:15, state 1 -> 00:10 1

        00:12,5
        00:14.999,7
        00:15,9
        ----
        batch 4: 3 rows, watermark 00:15, state 2, late 2 in 1 -> nothing

        00:40,1
        ----
        batch 5: 1 rows, watermark 00:15, state 3 -> nothing
        batch 6: 0 rows, watermark 00:30, state 1 -> 00:15 9; 00:25 1

        00:26,3
        00:30,4
        ----
        batch 7: 2 rows, watermark 00:30, state 2, late 1 in 1 -> nothing
        """);
  }

  @Test
  void windowIsEmittedInUpdateModeWheneverItChangesAndNotWhenItIsEvicted() throws Exception {
    trace(
        EVENTS,
        "update",
        SUMS,
        """
        00:10,1
        ----
        batch 0: 1 rows, watermark none, state 1 -> 00:10 1
        batch 1: 0 rows, watermark 00:00, state 1 -> nothing

        00:25,1
        ----
        batch 2: 1 rows, watermark 00:00, state 2 -> 00:25 1
        batch 3: 0 rows, watermark 00:15, state 1 -> nothing

        00:12,5
        00:14.999,7
        00:15,9
        ----
        batch 4: 3 rows, watermark 00:15, state 2, late 2 in 1 -> 00:15 9

        00:40,1
        ----
        batch 5: 1 rows, watermark 00:15, state 3 -> 00:40 1
        batch 6: 0 rows, watermark 00:30, state 1 -> nothing

        00:26,3
        00:30,4
        ----
        batch 7: 2 rows, watermark 00:30, state 2, late 1 in 1 -> 00:30 4
        """);
  }

  @Test
  void lateRowsCountInCompleteModeWhichEvictsNothingAndRunsNoBatchWithoutData() throws Exception {
    trace(
        EVENTS,
        "complete",
        SUMS,
        """
        00:10,1
        ----
        batch 0: 1 rows, watermark none, state 1 -> 00:10 1

        00:25,1
        ----
        batch 1: 1 rows, watermark 00:00, state 2 -> 00:10 1; 00:25 1

        00:12,5
        00:14.999,7
        00:15,9
        ----
        batch 2: 3 rows, watermark 00:15, state 3 -> 00:10 13; 00:15 9; 00:25 1

        00:40,1
        ----
        batch 3: 1 rows, watermark 00:15, state 4 -> 00:10 13; 00:15 9; 00:25 1; 00:40 1

        00:26,3
        00:30,4
        ----
        batch 4: 2 rows, watermark 00:30, state 5 -> 00:10 13; 00:15 9; 00:25 4; 00:30 4; 00:40 1
        """);
  }

  @Test
  void duplicatesByKeyAndTimeAreForgottenWhenTheWatermarkReachesTheirTime() throws Exception {
    trace(
        KEYS,
        "append",
        "SELECT k, ts FROM drop_duplicates(events, k, ts)",
        """
        a,00:10
        a,00:10
        ----
        batch 0: 2 rows, watermark none, state 1 -> a 00:10
        batch 1: 0 rows, watermark 00:00, state 1 -> nothing

        a,00:30
        ----
        batch 2: 1 rows, watermark 00:00, state 2 -> a 00:30
        batch 3: 0 rows, watermark 00:20, state 1 -> nothing

        a,00:10
        b,00:20
        b,00:20.001
        ----
        batch 4: 3 rows, watermark 00:20, state 2, late 2 in 2 -> b 00:20.001

        c,00:31
        ----
        batch 5: 1 rows, watermark 00:20, state 3 -> c 00:31
        batch 6: 0 rows, watermark 00:21, state 2 -> nothing
        """);
  }

  @Test
  void duplicatesByKeyAloneAreNeverForgottenButLateRowsAreDropped() throws Exception {
    trace(
        KEYS,
        "append",
        "SELECT k, ts FROM drop_duplicates(events, k)",
        """
        a,00:10
        ----
        batch 0: 1 rows, watermark none, state 1 -> a 00:10
        batch 1: 0 rows, watermark 00:00, state 1 -> nothing

        b,00:30
        ----
        batch 2: 1 rows, watermark 00:00, state 2 -> b 00:30
        batch 3: 0 rows, watermark 00:20, state 2 -> nothing

        c,00:19
        ----
        batch 4: 1 rows, watermark 00:20, state 2, late 1 in 1 -> nothing

        d,00:19
        ----
        batch 5: 1 rows, watermark 00:20, state 2, late 1 in 1 -> nothing
        """);
  }

  @Test
  void keyWithinTheWatermarkIsForgottenByItsFirstRowWhichLaterOnesDoNotExtend() throws Exception {
    trace(
        KEYS,
        "append",
        "SELECT k, ts FROM drop_duplicates_within_watermark(events, k)",
        """
        a,00:10
        ----
        batch 0: 1 rows, watermark none, state 1 -> a 00:10
        batch 1: 0 rows, watermark 00:00, state 1 -> nothing

        a,00:19
        ----
        batch 2: 1 rows, watermark 00:00, state 1 -> nothing
        batch 3: 0 rows, watermark 00:09, state 1 -> nothing

        a,00:29
        ----
        batch 4: 1 rows, watermark 00:09, state 1 -> nothing
        batch 5: 0 rows, watermark 00:19, state 1 -> nothing

        b,00:40
        ----
        batch 6: 1 rows, watermark 00:19, state 2 -> b 00:40
        batch 7: 0 rows, watermark 00:30, state 1 -> nothing

        a,00:41
        ----
        batch 8: 1 rows, watermark 00:30, state 2 -> a 00:41
        batch 9: 0 rows, watermark 00:31, state 2 -> nothing
        """);
  }

  @Test
  void limitCountsForTheLifeOfTheQueryAndNotForTheBatch() throws Exception {
    trace(
        "v INT",
        "append",
        "SELECT v FROM events LIMIT 3",
        """
        1
        2
        ----
        batch 0: 2 rows, watermark none, state 1 -> 1; 2

        3
        4
        ----
        batch 1: 2 rows, watermark none, state 1 -> 3

        5
        ----
        batch 2: 1 rows, watermark none, state 1 -> nothing
        """);
  }
}

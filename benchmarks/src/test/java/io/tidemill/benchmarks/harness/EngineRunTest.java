package io.tidemill.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class EngineRunTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void batchesAreTimedFromReportToReport() {
    EngineRun run =
        EngineRun.of(
            process(
                progress(2 * SECOND, 0, 1_000, 1_500),
                progress(3 * SECOND, 1, 1_000, 900),
                progress(5 * SECOND, 2, 1_000, 1_900),
                progress(6 * SECOND, 3, 0, 100)));

    assertThat(run.rows()).isEqualTo(3_000);
    assertThat(run.batches()).isEqualTo(3);
    assertThat(run.firstCommitSeconds()).isEqualTo(2.0);
    assertThat(run.batchMillis()).isEqualTo(1_500.0);
    assertThat(run.reportedBatchMillis()).isEqualTo(1_400.0);
    assertThat(run.steadyRowsPerSecond()).isCloseTo(2_000.0 / 3, within(0.01));
    assertThat(run.rowsPerSecond()).isCloseTo(300.0, within(0.01));
    assertThat(run.peakResidentBytes()).isEqualTo(7);
  }

  @Test
  void linesThatAreNoProgressArePassedOver() {
    EngineRun run =
        EngineRun.of(
            process(
                new TimedLine(1, "starting"),
                new TimedLine(2, "{\"other\":1}"),
                progress(3, 0, 5, 1),
                progress(4, 1, 5, 1)));

    assertThat(run.rows()).isEqualTo(10);
  }

  @Test
  void oneBatchCannotBeMeasured() {
    ProcessRun process = process(progress(1, 0, 5, 1));

    assertThatThrownBy(() -> EngineRun.of(process)).isInstanceOf(IllegalStateException.class);
  }

  private static ProcessRun process(TimedLine... lines) {
    return new ProcessRun(0, 10 * SECOND, 7, List.of(lines));
  }

  private static TimedLine progress(long nanos, long batch, long rows, long millis) {
    return new TimedLine(
        nanos,
        String.format(
            "{\"batchId\":%d,\"numInputRows\":%d,\"durationMs\":{\"triggerExecution\":%d}}",
            batch, rows, millis));
  }
}

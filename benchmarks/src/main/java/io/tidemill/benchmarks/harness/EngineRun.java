package io.tidemill.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * What one run of an engine came to.
 *
 * @param rows rows read
 * @param batches batches that read rows
 * @param seconds process start to end
 * @param firstCommitSeconds process start to the report of the first committed batch with rows
 * @param steadyRowsPerSecond rows after the first batch by the time from its report to the last
 * @param batchMillis median time from one batch's report to the next
 * @param reportedBatchMillis median duration of a batch by the engine's own clock, the first left
 *     out
 * @param peakResidentBytes peak of the process's resident memory
 */
public record EngineRun(
    long rows,
    long batches,
    double seconds,
    double firstCommitSeconds,
    double steadyRowsPerSecond,
    double batchMillis,
    double reportedBatchMillis,
    long peakResidentBytes) {
  private static final double NANOS = 1e9;

  /**
   * Reads a run from its process.
   *
   * @throws IllegalStateException if fewer than two batches read rows
   */
  static EngineRun of(ProcessRun run) {
    List<BatchProgress> batches =
        BatchProgress.of(run.lines()).stream().filter(b -> b.inputRows() > 0).toList();
    if (batches.size() < 2) {
      throw new IllegalStateException("A run needs two batches or more to be measured");
    }
    BatchProgress first = batches.get(0);
    BatchProgress last = batches.get(batches.size() - 1);
    long rows = batches.stream().mapToLong(BatchProgress::inputRows).sum();
    List<Double> gaps = new ArrayList<>();
    for (int i = 1; i < batches.size(); i++) {
      long gap = batches.get(i).arrivedNanos() - batches.get(i - 1).arrivedNanos();
      gaps.add(gap / (NANOS / 1e3));
    }
    List<Double> reported = batches.stream().skip(1).map(b -> (double) b.batchMillis()).toList();
    return new EngineRun(
        rows,
        batches.size(),
        run.nanos() / NANOS,
        first.arrivedNanos() / NANOS,
        (rows - first.inputRows()) * NANOS / (last.arrivedNanos() - first.arrivedNanos()),
        Spread.of(gaps).median(),
        Spread.of(reported).median(),
        run.peakResidentBytes());
  }

  /** Rows by the whole time of the process. */
  public double rowsPerSecond() {
    return rows / seconds;
  }
}

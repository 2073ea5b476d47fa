package io.tidemill.benchmarks.revenue;

/**
 * How much of the windowed revenue comparison to run.
 *
 * @param records orders of the backlog
 * @param smallBatches batches of the scenario with small ones
 * @param tidemillRuns runs of Tidemill per scenario; 0 leaves it out
 * @param sparkRuns runs of Spark per scenario and state store; 0 leaves it out
 */
public record RevenueSizes(long records, long smallBatches, int tidemillRuns, int sparkRuns) {
  public RevenueSizes {
    if (records < 1 || smallBatches < 8 || tidemillRuns < 0 || sparkRuns < 0) {
      throw new IllegalArgumentException("there must be orders, and 8 small batches or more");
    }
    if (tidemillRuns + sparkRuns == 0) {
      throw new IllegalArgumentException("at least one engine must run");
    }
  }
}

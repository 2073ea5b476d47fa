package io.tidemill.shapes;

import io.tidemill.orchestrator.OrchestratorSettings;

/** Settings of runs that divide their batches as a test wants it. */
public final class TaskSizes {
  private TaskSizes() {}

  /** The usual settings but for rows up to which a batch is one task, and rows of a shard. */
  public static OrchestratorSettings of(long wholeBatchRowsMax, long shardRows) {
    OrchestratorSettings normal = OrchestratorSettings.DEFAULT;
    return new OrchestratorSettings(
        wholeBatchRowsMax,
        shardRows,
        normal.taskRetriesMax(),
        normal.retryDelayMillis(),
        normal.leaseMillis(),
        normal.pollMinMillis(),
        normal.pollMaxMillis(),
        normal.idleEventMillis(),
        normal.recentProgressMax(),
        normal.collectEveryBatches(),
        normal.stragglerMinMillis(),
        normal.inlineShuffleBytes());
  }
}

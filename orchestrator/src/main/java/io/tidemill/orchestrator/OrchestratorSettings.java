package io.tidemill.orchestrator;

/**
 * Settings local to one run; none of them changes results.
 *
 * @param wholeBatchRowsMax estimated rows up to which a batch is one task; higher means fewer,
 *     longer tasks
 * @param shardRows rows of input and state per shard of a stage; lower means more parallel tasks
 * @param taskRetriesMax how often a task is tried again when something outside did not answer
 * @param retryDelayMillis wait before the first retry; doubles with each
 * @param leaseMillis how long other runs keep away after a write of this one; longer delays the
 *     take-over from a run that died on another host
 * @param pollMinMillis wait after the first look that finds nothing, for the default trigger
 * @param pollMaxMillis the wait doubles up to this
 * @param idleEventMillis least time between two idle events
 * @param recentProgressMax batches kept for {@link StreamingQuery#recentProgress}
 * @param collectEveryBatches how often unneeded objects of the checkpoint are deleted
 * @param stragglerMinMillis a task that runs at least so long, and much longer than those beside it
 *     that are done, is invoked a second time; 0 for never, as where all share one machine
 * @param inlineShuffleBytes rows between stages up to this size travel in messages instead of
 *     blobs; 0 for never. All tasks of a stage together have a limit too
 */
public record OrchestratorSettings(
    long wholeBatchRowsMax,
    long shardRows,
    int taskRetriesMax,
    long retryDelayMillis,
    long leaseMillis,
    long pollMinMillis,
    long pollMaxMillis,
    long idleEventMillis,
    int recentProgressMax,
    int collectEveryBatches,
    long stragglerMinMillis,
    int inlineShuffleBytes) {
  /** For functions that are threads: no second invocations, no rows in messages. */
  public static final OrchestratorSettings DEFAULT =
      new OrchestratorSettings(50_000, 100_000, 3, 200, 60_000, 10, 100, 10_000, 100, 32, 0, 0);

  public OrchestratorSettings {
    if (wholeBatchRowsMax < 0 || shardRows < 1 || taskRetriesMax < 0 || retryDelayMillis < 0) {
      throw new IllegalArgumentException("sizes and retries must not be negative");
    }
    if (leaseMillis < 1 || pollMinMillis < 1 || pollMaxMillis < pollMinMillis) {
      throw new IllegalArgumentException("times must be positive and in order");
    }
    if (stragglerMinMillis < 0 || inlineShuffleBytes < 0) {
      throw new IllegalArgumentException("times and sizes must not be negative");
    }
    if (idleEventMillis < 0 || recentProgressMax < 1 || collectEveryBatches < 1) {
      throw new IllegalArgumentException("intervals and counts must be positive");
    }
  }
}

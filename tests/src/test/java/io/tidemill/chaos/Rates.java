package io.tidemill.chaos;

/**
 * How often things go wrong, each from 0 to 1.
 *
 * @param storage of a storage call: refused, or not known whether it happened
 * @param taskKilled at a storage call of a task
 * @param runKilled at a storage call of an orchestrator
 * @param taskFrozen at a storage call of a task
 * @param runFrozen at a storage call of an orchestrator
 * @param throttled of an invocation
 * @param requestLost of an invocation
 * @param replyLost of an invocation
 * @param duplicated of an invocation
 */
record Rates(
    double storage,
    double taskKilled,
    double runKilled,
    double taskFrozen,
    double runFrozen,
    double throttled,
    double requestLost,
    double replyLost,
    double duplicated) {
  /** Something in most batches. */
  static final Rates OFTEN = new Rates(0.01, 0.002, 0.003, 0.0004, 0.0015, 0.03, 0.02, 0.02, 0.05);

  /** Where processes and invocations are disturbed by other means. */
  static final Rates STORAGE_ONLY = new Rates(0.01, 0, 0, 0, 0, 0, 0, 0, 0);
}

package io.tidemill.state;

import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.task.TaskId;

/**
 * The state of an operator's shard, which can be made durable: read its table with SQL, change it
 * only by these methods. For one thread.
 */
public interface SavedState extends KeyedState {
  /**
   * Makes durable what was changed since the state was opened. It takes effect when a version
   * applies the change whose {@code evictedTo} is the watermark last given to {@link #evict}.
   */
  StateChange save(TaskId task, AttemptId attempt);
}

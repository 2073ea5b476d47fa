package io.tidemill.function;

import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.task.TaskRequest;
import java.util.List;

/** State of a task's operators, which can be made durable. */
interface SavedState extends KeyedState.Access {
  /** Writes what was changed. */
  List<StateChange> save(TaskRequest request);
}

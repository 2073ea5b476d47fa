package io.tidemill.function;

import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.state.ObjectState;
import io.tidemill.state.SavedState;
import io.tidemill.state.StateLayout;
import io.tidemill.state.StatePlace;
import io.tidemill.state.StateStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives operators their state at the task's versions, and saves what they changed. */
final class TaskState implements KeyedState.Access {
  private final StateStore store;
  private final TaskRequest request;
  private final Buckets shard;
  private final List<SavedState> opened = new ArrayList<>();

  TaskState(StateStore store, TaskRequest request, Buckets shard) {
    this.store = store;
    this.request = request;
    this.shard = shard;
  }

  @Override
  public KeyedState open(
      int stage, Schema columns, List<String> keys, Optional<String> evictColumn) {
    StatePlace place =
        new StatePlace(
            request.batch().query(),
            request.task(),
            stage,
            shard,
            request.state().getOrDefault(stage, StateVersion.EMPTY));
    SavedState state = store.open(place, new StateLayout(columns, keys, evictColumn));
    opened.add(state);
    return state;
  }

  @Override
  public String bucket(List<String> keys) {
    return ObjectState.bucketExpression(keys);
  }

  /** Writes what was changed. */
  List<StateChange> save() {
    return opened.stream().map(state -> state.save(request.task(), request.attempt())).toList();
  }
}

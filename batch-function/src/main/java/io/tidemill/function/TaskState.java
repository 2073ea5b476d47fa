package io.tidemill.function;

import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.state.ObjectState;
import io.tidemill.state.StateLayout;
import io.tidemill.state.StateTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives operators their state at the task's versions, and saves what they changed. */
final class TaskState implements SavedState {
  private final ObjectState store;
  private final Map<Integer, StateVersion> versions;
  private final Buckets shard;
  private final List<StateTable> opened = new ArrayList<>();

  TaskState(ObjectState store, Map<Integer, StateVersion> versions, Buckets shard) {
    this.store = store;
    this.versions = versions;
    this.shard = shard;
  }

  @Override
  public KeyedState open(
      int stage, Schema columns, List<String> keys, Optional<String> evictColumn) {
    StateTable table =
        store.load(
            stage,
            new StateLayout(columns, keys, evictColumn),
            versions.getOrDefault(stage, StateVersion.EMPTY),
            shard);
    opened.add(table);
    return new Opened(table);
  }

  @Override
  public String bucket(List<String> keys) {
    return ObjectState.bucketExpression(keys);
  }

  @Override
  public List<StateChange> save(TaskRequest request) {
    return opened.stream().map(t -> t.save(request.task(), request.attempt())).toList();
  }

  private record Opened(StateTable of) implements KeyedState {
    @Override
    public String table() {
      return of.name();
    }

    @Override
    public long rows() {
      return of.rows();
    }

    @Override
    public void apply(String changes) {
      of.apply(changes);
    }

    @Override
    public void applyByRow(String changes) {
      of.applyByRow(changes, ROW);
    }

    @Override
    public boolean mayHoldNullKeys() {
      return of.mayHoldNullKeys();
    }

    @Override
    public boolean mayEvict(Watermark watermark) {
      return of.mayEvict(watermark);
    }

    @Override
    public long evict(Watermark watermark) {
      return of.evict(watermark);
    }
  }
}

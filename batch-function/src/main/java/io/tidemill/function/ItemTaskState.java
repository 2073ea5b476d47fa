package io.tidemill.function;

import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.state.ItemState;
import io.tidemill.state.ItemTable;
import io.tidemill.state.ObjectState;
import io.tidemill.state.StateLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives operators their state in items, and saves what they changed. */
final class ItemTaskState implements SavedState {
  private final ItemState store;
  private final TaskRequest request;
  private final Buckets shard;
  private final List<ItemTable> opened = new ArrayList<>();

  ItemTaskState(ItemState store, TaskRequest request, Buckets shard) {
    this.store = store;
    this.request = request;
    this.shard = shard;
  }

  @Override
  public KeyedState open(
      int stage, Schema columns, List<String> keys, Optional<String> evictColumn) {
    ItemTable table =
        store.open(
            stage,
            new StateLayout(columns, keys, evictColumn),
            request.state().getOrDefault(stage, StateVersion.EMPTY),
            shard,
            request.batch().query(),
            request.task());
    opened.add(table);
    return new Opened(table);
  }

  @Override
  public String bucket(List<String> keys) {
    return ObjectState.bucketExpression(keys);
  }

  @Override
  public List<StateChange> save(TaskRequest saved) {
    return opened.stream().map(t -> t.save(saved.task(), saved.attempt())).toList();
  }

  private record Opened(ItemTable of) implements KeyedState {
    @Override
    public String table() {
      return of.name();
    }

    @Override
    public long rows() {
      return of.rows();
    }

    @Override
    public void load(String keys, boolean evictFollows, Watermark eviction) {
      of.load(keys, evictFollows, eviction);
    }

    @Override
    public void apply(String changes) {
      of.apply(changes);
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

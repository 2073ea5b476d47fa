package io.tidemill.state;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateSegment;
import io.tidemill.protocol.task.TaskId;
import java.util.ArrayList;
import java.util.List;

/** The rows that one task needs of an operator's shard in items: those that it loads. */
final class ItemTable implements SavedState {
  private final StatePlace place;
  private final ItemRows rows;
  private final ItemBatch items;
  private final List<String> applied = new ArrayList<>();
  private boolean evictFollows;
  private Watermark evictedTo;
  private long count;
  private long evicted;

  ItemTable(StatePlace place, ItemRows rows, ItemBatch items) {
    this.place = place;
    this.rows = rows;
    this.items = items;
    this.evictedTo = rows.stored().isEvicting() ? place.version().evictedTo() : Watermark.NONE;
    rows.create();
  }

  @Override
  public String table() {
    return rows.table();
  }

  @Override
  public long rows() {
    return count;
  }

  @Override
  public void load(String keys, boolean follows, Watermark eviction) {
    evictFollows = follows && rows.stored().isEvicting();
    List<String[]> texts = items.load(rows.keys(keys, evictFollows), evictFollows, eviction);
    count = rows.add(texts, place.shard(), evictedTo);
  }

  @Override
  public void apply(String changes) {
    count += rows.apply(changes, evictedTo);
    applied.add(changes);
  }

  @Override
  public boolean mayEvict(Watermark watermark) {
    return rows.stored().isEvicting() && watermark.compareTo(evictedTo) > 0;
  }

  /** Of the rows that were loaded. */
  @Override
  public long evict(Watermark watermark) {
    if (!mayEvict(watermark)) {
      return 0;
    }
    long removed = rows.evict(watermark);
    evictedTo = watermark;
    count -= removed;
    evicted += removed;
    return removed;
  }

  @Override
  public StateChange save(TaskId task, AttemptId attempt) {
    long added = items.write(rows.changed(evictFollows, evictedTo), attempt) - evicted;
    items.tidy();
    applied.forEach(rows::dropChanges);
    applied.clear();
    long before =
        place.version().overlapping(place.shard()).stream().mapToLong(StateSegment::rows).sum();
    return new StateChange(
        place.operator(), place.shard(), List.of(), false, Math.max(0, before + added));
  }

  void drop() {
    rows.drop();
  }
}

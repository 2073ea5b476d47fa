package io.tidemill.state;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateSegment;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Items;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows that one task needs of an operator's shard in items: those that it loads. */
final class ItemTable implements SavedState {
  /** The batch of items that say something about others, before all that there are. */
  private static final long ABOUT = -1;

  private final StatePlace place;
  private final List<String> applied = new ArrayList<>();
  private final ItemRows rows;
  private final Items items;
  private final ItemValues values;
  private final ItemSweep sweep;
  private final String format;

  /** Items read, by key; as they are now, which may be after this batch's first attempt. */
  private final Map<Items.Key, Items.Item> seen = new LinkedHashMap<>();

  /** Items whose rows were evicted by a committed batch. */
  private final List<Items.Item> dead = new ArrayList<>();

  private boolean formatKnown;
  private boolean evictFollows;
  private Watermark evictedTo;
  private long count;
  private long evicted;

  ItemTable(
      StatePlace place,
      ItemRows rows,
      Items items,
      ItemValues values,
      ItemSweep sweep,
      String format) {
    this.place = place;
    this.rows = rows;
    this.items = items;
    this.values = values;
    this.sweep = sweep;
    this.format = format;
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
    List<Items.Key> wanted = new ArrayList<>(rows.keys(keys, evictFollows));
    wanted.add(rows.formatKey());
    items.get(wanted).forEach(item -> seen.put(item.key(), item));
    checkFormat(seen.remove(rows.formatKey()));
    if (evictFollows && evictedTo.compareTo(eviction) < 0) {
      String last = ItemRows.evictedUpTo(eviction);
      for (String partition : rows.partitions(place.shard())) {
        items.upTo(partition, last).forEach(this::seeDue);
      }
    }
    List<String[]> texts = new ArrayList<>();
    for (Items.Item item : seen.values()) {
      if (item.now().batch() > place.batch()) {
        throw overtaken(item.key());
      }
      if (isDead(item)) {
        continue; // A zombie brought it back; the blob of its row may be gone.
      }
      item.asBefore(place.batch())
          .flatMap(Items.Version::value)
          .ifPresent(value -> texts.add(values.columns(value)));
    }
    count = rows.add(texts, place.shard(), evictedTo);
  }

  private void seeDue(Items.Item item) {
    if (isDead(item)) {
      dead.add(item);
    } else {
      seen.put(item.key(), item);
    }
  }

  /** True if a committed batch evicted the row of an item that sorts by its time. */
  private boolean isDead(Items.Item item) {
    return evictFollows
        && !evictedTo.isNone()
        && item.key().sort().compareTo(ItemRows.evictedUpTo(evictedTo)) <= 0;
  }

  private void checkFormat(Items.Item item) {
    formatKnown = item != null;
    if (item == null && place.version().rows() > 0) {
      throw new TidemillException(
              ErrorCode.STATE_CORRUPT,
              "The items of the state are gone. Restore the table, or start the query with a new"
                  + " checkpoint.")
          .with("operator", place.operator());
    }
    if (item != null && !item.now().value().equals(Optional.of(format))) {
      throw new TidemillException(
              ErrorCode.STATE_LAYOUT_CHANGED,
              "The stored state has other columns than this query keeps, or other keys' hashes: the"
                  + " query or the library that lays it out was changed. Run the query as it was, or"
                  + " start it with a new checkpoint.")
          .with("operator", place.operator())
          .with("stored", item.now().value().orElse(""))
          .with("expected", format);
    }
  }

  private TidemillException overtaken(Items.Key key) {
    return new TidemillException(
            ErrorCode.FENCED,
            "The state is that of a later batch: another run has gone on from this one.")
        .with("operator", place.operator())
        .with("batch", place.batch())
        .with("item", key.partition() + "/" + key.sort());
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

  /**
   * Writes an item per row changed, unless an earlier attempt at this batch did, and removes items
   * that a committed batch evicted.
   */
  @Override
  public StateChange save(TaskId task, AttemptId attempt) {
    List<Items.Item> written = new ArrayList<>();
    List<Items.Version> replaced = new ArrayList<>();
    long added = -evicted;
    for (ItemRows.Changed row : rows.changed(evictFollows, evictedTo)) {
      Optional<Items.Item> there = Optional.ofNullable(seen.get(row.key()));
      Optional<Items.Version> before = there.flatMap(i -> i.asBefore(place.batch()));
      boolean wasLive = before.flatMap(Items.Version::value).isPresent();
      added += (row.live() ? 1 : 0) - (wasLive ? 1 : 0);
      boolean isThere = there.map(i -> i.now().batch() == place.batch()).orElse(false);
      // A row evicted at once is gone whatever its item says.
      if (!isThere && !row.evicted()) {
        Optional<String> value =
            row.live()
                ? Optional.of(values.stored(row.row(), row.key(), task, attempt))
                : Optional.empty();
        written.add(new Items.Item(row.key(), new Items.Version(place.batch(), value), before));
        there.flatMap(Items.Item::before).ifPresent(replaced::add);
      }
    }
    write(written);
    forget(replaced);
    if (ItemSweep.isDue(place.batch())) {
      sweep.run(rows.ownPartitions(place.shard()), place.batch());
    }
    applied.forEach(rows::dropChanges);
    applied.clear();
    long before =
        place.version().overlapping(place.shard()).stream().mapToLong(StateSegment::rows).sum();
    return new StateChange(
        place.operator(), place.shard(), List.of(), false, Math.max(0, before + added));
  }

  private void write(List<Items.Item> written) {
    if (written.isEmpty()) {
      return;
    }
    if (!formatKnown) {
      Items.Version about = new Items.Version(ABOUT, Optional.of(format));
      items.putIfOlder(List.of(new Items.Item(rows.formatKey(), about, Optional.empty())));
      formatKnown = true;
    }
    List<Items.Key> later = items.putIfOlder(written);
    if (!later.isEmpty()) {
      throw overtaken(later.get(0));
    }
  }

  /** Removes what no batch reads any more. */
  private void forget(List<Items.Version> replaced) {
    items.delete(dead.stream().map(Items.Item::key).toList());
    List<Items.Version> gone = new ArrayList<>(replaced);
    for (Items.Item item : dead) {
      gone.add(item.now());
      item.before().ifPresent(gone::add);
    }
    gone.forEach(version -> version.value().ifPresent(values::forget));
  }

  void drop() {
    rows.drop();
  }
}

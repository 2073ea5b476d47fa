package io.tidemill.state;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Items;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The items that one task reads and writes: the rule by which a batch may be run again although
 * some of its items are written. It knows no SQL. For one thread; load, write and tidy are called
 * once, in this order.
 */
public final class ItemBatch {
  /** The batch of items that say something about others, before all that there are. */
  private static final long ABOUT = -1;

  private final Items items;
  private final ItemValues values;
  private final ItemSweep sweep;
  private final ItemSettings settings;
  private final StatePlace place;
  private final ItemKeys keys;
  private final String format;

  /** Items read, by key; as they are now, which may be after this batch's first attempt. */
  private final Map<Items.Key, Items.Item> seen = new LinkedHashMap<>();

  /** Items whose rows were evicted by a committed batch. */
  private final List<Items.Item> dead = new ArrayList<>();

  /** Versions that no item has any more, once what was changed is written. */
  private final List<Items.Version> replaced = new ArrayList<>();

  private boolean formatKnown;

  /**
   * A row changed by the task.
   *
   * @param row a JSON array of texts; without meaning if it is not live
   * @param live false if it was removed
   * @param evicted true if the batch's own watermark evicts it
   */
  public record Changed(Items.Key key, String row, boolean live, boolean evicted) {}

  /**
   * @param items of the query; stay the caller's
   * @param checkpoint for values too large for an item; stays the caller's
   * @param format what must be equal for items to mean what the task thinks
   */
  public ItemBatch(
      Items items, Blob checkpoint, ItemSettings settings, StatePlace place, String format) {
    this.items = items;
    this.values = new ItemValues(checkpoint, settings.valueBytesMax());
    this.sweep = new ItemSweep(items, checkpoint);
    this.settings = settings;
    this.place = place;
    this.keys = new ItemKeys(place);
    this.format = format;
  }

  /**
   * Fetches rows as they were before the batch: those of some keys, and those that its watermark
   * evicts, if they can be found. Also such as are evicted already or belong to other shards.
   *
   * @param sortedByTime whether all items of the operator sort by the time that evicts them
   * @param eviction the batch's watermark
   */
  public List<String[]> load(
      Collection<Items.Key> wanted, boolean sortedByTime, Watermark eviction) {
    List<Items.Key> asked = new ArrayList<>(wanted);
    asked.add(keys.format());
    items.get(asked).forEach(item -> seen.put(item.key(), item));
    checkFormat(seen.remove(keys.format()));
    Watermark evictedTo = sortedByTime ? place.version().evictedTo() : Watermark.NONE;
    if (sortedByTime && evictedTo.compareTo(eviction) < 0) {
      String last = ItemKeys.evictedUpTo(eviction);
      for (String partition : keys.partitions(place.shard())) {
        items.upTo(partition, last).forEach(item -> seeDue(item, evictedTo));
      }
    }
    List<String[]> rows = new ArrayList<>();
    for (Items.Item item : seen.values()) {
      if (item.now().batch() > place.batch()) {
        throw overtaken(item.key());
      }
      if (isDead(item, evictedTo)) {
        continue; // A zombie brought it back; the blob of its row may be gone.
      }
      item.asBefore(place.batch())
          .flatMap(Items.Version::value)
          .ifPresent(value -> rows.add(values.columns(value)));
    }
    return rows;
  }

  private void seeDue(Items.Item item, Watermark evictedTo) {
    if (isDead(item, evictedTo)) {
      dead.add(item);
    } else {
      seen.put(item.key(), item);
    }
  }

  /** True if a committed batch evicted the row of an item that sorts by its time. */
  private static boolean isDead(Items.Item item, Watermark evictedTo) {
    return !evictedTo.isNone() && item.key().sort().compareTo(ItemKeys.evictedUpTo(evictedTo)) <= 0;
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

  /**
   * Writes an item per row changed, unless an earlier attempt at this batch did.
   *
   * @param changed rows whose keys were loaded
   * @return by how many rows there are more, not counting what the watermark evicts
   */
  public long write(List<Changed> changed, AttemptId attempt) {
    List<Items.Item> written = new ArrayList<>();
    long added = 0;
    for (Changed row : changed) {
      Optional<Items.Item> there = Optional.ofNullable(seen.get(row.key()));
      Optional<Items.Version> before = there.flatMap(i -> i.asBefore(place.batch()));
      boolean wasLive = before.flatMap(Items.Version::value).isPresent();
      added += (row.live() ? 1 : 0) - (wasLive ? 1 : 0);
      boolean isThere = there.map(i -> i.now().batch() == place.batch()).orElse(false);
      // A row evicted at once is gone whatever its item says.
      if (!isThere && !row.evicted()) {
        Optional<String> value =
            row.live()
                ? Optional.of(values.stored(row.row(), row.key(), place.task(), attempt))
                : Optional.empty();
        written.add(new Items.Item(row.key(), new Items.Version(place.batch(), value), before));
        there.flatMap(Items.Item::before).ifPresent(replaced::add);
      }
    }
    put(written);
    return added;
  }

  private void put(List<Items.Item> written) {
    if (written.isEmpty()) {
      return;
    }
    if (!formatKnown) {
      Items.Version about = new Items.Version(ABOUT, Optional.of(format));
      items.putIfOlder(List.of(new Items.Item(keys.format(), about, Optional.empty())));
      formatKnown = true;
    }
    List<Items.Key> later = items.putIfOlder(written);
    if (!later.isEmpty()) {
      throw overtaken(later.get(0));
    }
  }

  /**
   * Removes what no batch reads any more: items that a committed batch evicted, blobs that only
   * replaced versions named, and in some batches blobs that nobody names.
   */
  public void tidy() {
    items.delete(dead.stream().map(Items.Item::key).toList());
    List<Items.Version> gone = new ArrayList<>(replaced);
    for (Items.Item item : dead) {
      gone.add(item.now());
      item.before().ifPresent(gone::add);
    }
    gone.forEach(version -> version.value().ifPresent(values::forget));
    if (settings.sweeps(place.batch())) {
      sweep.run(keys.ownPartitions(place.shard()), place.batch());
    }
  }
}

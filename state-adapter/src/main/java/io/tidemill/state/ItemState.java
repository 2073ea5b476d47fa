package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Items;
import java.util.HashMap;
import java.util.Map;
import org.duckdb.DuckDBConnection;

/**
 * Keyed state in items, one per key, for large key spaces of which a batch touches few: only the
 * rows of the batch's keys, and those to be evicted, are read and written.
 */
public final class ItemState implements StateStore {
  private final Items items;
  private final Blob checkpoint;
  private final Database database;
  private final FileFormat format;
  private final Map<Integer, ItemTable> opened = new HashMap<>();

  /**
   * @param items of the query; stay the caller's
   * @param checkpoint for values too large for an item; stays the caller's
   * @param db stays the caller's
   */
  public ItemState(Items items, Blob checkpoint, DuckDBConnection db) {
    this.items = items;
    this.checkpoint = checkpoint;
    this.database = new Database(db);
    this.format = new FileFormat(database);
  }

  /** Still without rows: {@link SavedState#load} fetches those that are needed. */
  @Override
  public SavedState open(StatePlace place, StateLayout layout) {
    if (!place.version().files(Buckets.ALL).isEmpty()) {
      throw new TidemillException(
              ErrorCode.STATE_LAYOUT_CHANGED,
              "The stored state is in files, and the query wants it in items. Run the query as it"
                  + " was, or start it with a new checkpoint.")
          .with("operator", place.operator());
    }
    StoredLayout stored = new StoredLayout(database, layout);
    ItemRows rows = new ItemRows(place.operator(), new ItemKeys(place), layout, stored, database);
    ItemTable table =
        new ItemTable(
            place,
            rows,
            new ItemBatch(items, checkpoint, ItemSettings.STANDARD, place, format(stored)));
    opened.put(place.operator(), table);
    return table;
  }

  /** What must be equal for items to mean what the operator thinks. */
  private String format(StoredLayout layout) {
    return Map.of("layout", layout.text(), "hash", format.hash()).entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .reduce("format: 1", (a, b) -> a + "\n" + b);
  }

  @Override
  public void close() {
    if (!database.isClosed()) {
      opened.values().forEach(ItemTable::drop);
      database.close();
    }
    opened.clear();
  }
}

package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Items;
import java.util.HashMap;
import java.util.Map;
import org.duckdb.DuckDBConnection;

/**
 * Keyed state in items, one per key, for large key spaces of which a batch touches few: only the
 * rows of the batch's keys, and those to be evicted, are read and written. For one thread.
 */
public final class ItemState implements AutoCloseable {
  private final Items items;
  private final ItemValues values;
  private final ItemSweep sweep;
  private final Database database;
  private final FileFormat format;
  private final Map<Integer, ItemTable> opened = new HashMap<>();

  /**
   * @param items of the query; stay the caller's
   * @param checkpoint for values too large for an item; stays the caller's
   * @param db stays the caller's; tables named {@code _tidemill_state_…} are taken
   */
  public ItemState(Items items, Blob checkpoint, DuckDBConnection db) {
    this.items = items;
    this.values = new ItemValues(checkpoint);
    this.sweep = new ItemSweep(items, checkpoint);
    this.database = new Database(db);
    this.format = new FileFormat(database);
  }

  /**
   * The state of an operator's shard as it was before a task's batch, still without rows: {@link
   * ItemTable#load} fetches those that are needed. Opening an operator again drops the table
   * before.
   *
   * <p>Errors: {@code STATE_LAYOUT_CHANGED} if the state is in files, or was laid out differently.
   */
  public ItemTable open(
      int operator,
      StateLayout layout,
      StateVersion version,
      Buckets shard,
      QueryId query,
      TaskId task) {
    if (!version.files(Buckets.ALL).isEmpty()) {
      throw new TidemillException(
              ErrorCode.STATE_LAYOUT_CHANGED,
              "The stored state is in files, and the query wants it in items. Run the query as it"
                  + " was, or start it with a new checkpoint.")
          .with("operator", operator);
    }
    StoredLayout stored = new StoredLayout(database, layout);
    String folder = query + "/" + task.timeline() + "/" + operator;
    ItemRows rows = new ItemRows(operator, folder, layout, stored, database);
    ItemTable table =
        new ItemTable(
            new ItemTable.Place(operator, shard, task),
            rows,
            items,
            values,
            sweep,
            version,
            format(stored));
    opened.put(operator, table);
    return table;
  }

  /** What must be equal for items to mean what the operator thinks. */
  private String format(StoredLayout layout) {
    return Map.of("layout", layout.text(), "hash", format.hash()).entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .reduce("format: 1", (a, b) -> a + "\n" + b);
  }

  /** Drops the tables. */
  @Override
  public void close() {
    if (!database.isClosed()) {
      opened.values().forEach(ItemTable::drop);
    }
    opened.clear();
  }
}

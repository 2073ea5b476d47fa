package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.storage.Blob;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBConnection;

/**
 * Keyed state in objects: each version is a list of Parquet files, in which later ones change what
 * earlier ones say. A function instance has one of these and keeps the shard of each operator it
 * last worked on as a table, so that the next batch reads only the files it lacks.
 *
 * <p>The DuckDB instance must be able to read the checkpoint's local files and to write the scratch
 * directory. A high {@code checkpoint_threshold} (64 MB) spares large states much copying.
 */
public final class ObjectState implements StateStore {
  private final Database database;
  private final StateFiles files;
  private final StateSettings settings;
  private final Map<Integer, StateTable> warm = new HashMap<>();

  /**
   * @param checkpoint of the query; stays the caller's
   * @param db stays the caller's
   * @param scratch a directory for files being written, of this instance alone
   */
  public ObjectState(Blob checkpoint, DuckDBConnection db, Path scratch, StateSettings settings) {
    this.database = new Database(db);
    this.files = new StateFiles(checkpoint, database, scratch.toAbsolutePath());
    this.settings = settings;
  }

  @Override
  public SavedState open(StatePlace place, StateLayout layout) {
    StateTable table = warm.remove(place.operator());
    if (table != null && !table.isOf(layout, place.shard())) {
      table.drop();
      table = null;
    }
    if (table == null) {
      StoredLayout stored = new StoredLayout(database, layout);
      table = new StateTable(place.operator(), stored, place.shard(), database, files, settings);
    }
    table.moveTo(place.version());
    // Only now: a table that failed on the way is in no known state.
    warm.put(place.operator(), table);
    return table;
  }

  /**
   * SQL for the bucket of a key, a USMALLINT; bucket 0 for a key without columns. Equal keys have
   * equal buckets, where equal is as in GROUP BY: nulls, NaNs, and 0.0 and -0.0.
   */
  public static String bucketExpression(List<String> keyExpressions) {
    return keyExpressions.isEmpty()
        ? "CAST(0 AS USMALLINT)"
        : "CAST(hash("
            + String.join(", ", keyExpressions)
            + ") & "
            + (Buckets.COUNT - 1)
            + " AS USMALLINT)";
  }

  @Override
  public void close() {
    if (!database.isClosed()) {
      warm.values().forEach(StateTable::drop);
      database.close();
    }
    warm.clear();
  }
}

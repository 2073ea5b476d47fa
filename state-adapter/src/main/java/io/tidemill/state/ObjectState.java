package io.tidemill.state;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Blob;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBConnection;

/**
 * Keyed state in objects: each version is a list of Parquet files, in which later ones change what
 * earlier ones say. A function instance has one of these and keeps the shard of each operator it
 * last worked on as a table, so that the next batch reads only the files it lacks. For one thread.
 *
 * <p>The DuckDB instance must be able to read the checkpoint's local files and to write the scratch
 * directory. A high {@code checkpoint_threshold} (64 MB) spares large states much copying.
 */
public final class ObjectState implements AutoCloseable {
  private final Database database;
  private final StateFiles files;
  private final StateSettings settings;
  private final Map<Integer, StateTable> warm = new HashMap<>();

  /**
   * @param checkpoint of the query; stays the caller's
   * @param db stays the caller's; tables named {@code _tidemill_state_…} are taken
   * @param scratch a directory for files being written, of this instance alone
   */
  public ObjectState(Blob checkpoint, DuckDBConnection db, Path scratch, StateSettings settings) {
    this.database = new Database(db);
    this.files = new StateFiles(checkpoint, database, scratch.toAbsolutePath());
    this.settings = settings;
  }

  /**
   * The rows of an operator's shard at a version. Until the next load of the same operator the
   * table may be changed and saved; what was changed but not saved is forgotten then.
   *
   * <p>Errors: {@code STATE_CORRUPT} for a file that is missing or not what was written, {@code
   * STATE_LAYOUT_CHANGED} if the files have other columns or were spread over buckets differently.
   */
  public StateTable load(int operator, StateLayout layout, StateVersion version, Buckets shard) {
    StateTable table = warm.remove(operator);
    if (table != null && !table.isOf(layout, shard)) {
      table.drop();
      table = null;
    }
    if (table == null) {
      StoredLayout stored = new StoredLayout(database, layout);
      table = new StateTable(operator, stored, shard, database, files, settings);
    }
    table.moveTo(version);
    // Only now: a table that failed on the way is in no known state.
    warm.put(operator, table);
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

  /** Drops the tables. */
  @Override
  public void close() {
    if (!database.isClosed()) {
      warm.values().forEach(StateTable::drop);
      database.close();
    }
    warm.clear();
  }
}

package io.tidemill.state;

import static java.util.stream.Collectors.joining;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.storage.Items;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The DuckDB tables of item state and the SQL between rows and items. Every column travels as its
 * text, of which each value is checked to come back the same. Keys are told apart by their SHA-256.
 */
final class ItemRows {
  private final int operator;
  private final ItemKeys keys;
  private final StateLayout layout;
  private final StoredLayout stored;
  private final Database database;

  ItemRows(
      int operator, ItemKeys keys, StateLayout layout, StoredLayout stored, Database database) {
    this.operator = operator;
    this.keys = keys;
    this.layout = layout;
    this.stored = stored;
    this.database = database;
  }

  String table() {
    return "_tidemill_state_" + operator;
  }

  private String pending() {
    return "_tidemill_pending_" + operator;
  }

  private String fetched() {
    return "_tidemill_fetched_" + operator;
  }

  StoredLayout stored() {
    return stored;
  }

  /** Empties all tables. */
  void create() {
    database.run("CREATE OR REPLACE TABLE " + table() + stored.ddl(""));
    database.run(
        "CREATE OR REPLACE TEMP TABLE "
            + pending()
            + stored.ddl(", " + StateLayout.LIVE + " BOOLEAN"));
  }

  void drop() {
    database.run("DROP TABLE IF EXISTS " + table());
    database.run("DROP TABLE IF EXISTS " + pending());
  }

  /** Drops a table of changes that was applied. */
  void dropChanges(String table) {
    database.run("DROP TABLE IF EXISTS " + table);
  }

  /** The items of keys that a SELECT gives, with the evicting column if it follows from them. */
  List<Items.Key> keys(String select, boolean evictFollows) {
    return database.rows(
        "SELECT DISTINCT " + bucket() + ", " + sort(evictFollows) + " FROM (" + select + ")",
        row -> keys.key(row.getInt(1), row.getString(2)));
  }

  private String bucket() {
    return ObjectState.bucketExpression(
        layout.keyColumns().stream()
            .map(k -> "CAST(" + Sql.name(k) + " AS " + type(k) + ")")
            .toList());
  }

  private String type(String column) {
    return layout.columns().find(column).orElseThrow().type();
  }

  private String sort(boolean evictFollows) {
    String texts = layout.keyColumns().stream().map(this::keyText).collect(joining(" || "));
    String hash = "sha256(" + (texts.isEmpty() ? "''" : texts) + ")";
    if (!evictFollows || layout.evictColumn().isEmpty()) {
      return hash;
    }
    String time = Sql.name(layout.evictColumn().get());
    return "CASE WHEN isfinite("
        + time
        + ") THEN lpad(CAST(CAST(epoch_us("
        + time
        + ") AS HUGEINT) + "
        + ItemKeys.TIME_OFFSET
        + " AS VARCHAR), 20, '0') ELSE '"
        + ItemKeys.NEVER
        + "' END || "
        + hash;
  }

  /** Equal for equal keys only: null is no text, and -0.0 is 0.0. */
  private String keyText(String column) {
    String type = type(column);
    String value = "CAST(" + Sql.name(column) + " AS " + type + ")";
    String same = type.equals("DOUBLE") || type.equals("FLOAT") ? "(" + value + " + 0)" : value;
    String text = "CAST(" + same + " AS VARCHAR)";
    return "CASE WHEN "
        + value
        + " IS NULL THEN 'n' ELSE length("
        + text
        + ") || ':' || "
        + text
        + " END";
  }

  /** Adds rows as items hold them, but for those of other shards and those evicted; how many. */
  long add(List<String[]> rows, Buckets shard, Watermark evictedTo) {
    if (rows.isEmpty()) {
      return 0;
    }
    List<Column> columns = layout.columns().columns();
    String texts =
        columns.stream().map(c -> Sql.name(c.name()) + " VARCHAR").collect(joining(", "));
    database.run("CREATE OR REPLACE TEMP TABLE " + fetched() + " (" + texts + ")");
    database.append(fetched(), rows);
    String typed =
        columns.stream()
            .map(
                c ->
                    "CAST(" + Sql.name(c.name()) + " AS " + c.type() + ") AS " + Sql.name(c.name()))
            .collect(joining(", "));
    long added =
        database.run(
            String.format(
                Locale.ROOT,
                "INSERT INTO %s SELECT %s FROM (SELECT %s AS %s, * FROM (SELECT %s FROM %s))"
                    + " WHERE %s >= %d AND %s < %d AND %s",
                table(),
                stored.columns(),
                bucket(),
                StateLayout.BUCKET,
                typed,
                fetched(),
                StateLayout.BUCKET,
                shard.from(),
                StateLayout.BUCKET,
                shard.to(),
                stored.notEvicted(evictedTo)));
    database.run("DROP TABLE " + fetched());
    return added;
  }

  /** Replaces, inserts and removes rows; by how many there are more now. */
  long apply(String changes, Watermark evictedTo) {
    String name = Sql.name(changes);
    List<Boolean> nullable = Collections.nCopies(stored.keyCount(), true);
    String both = stored.columns() + ", " + StateLayout.LIVE;
    String same = " s USING " + name + " c WHERE " + stored.sameKey("s", "c", nullable);
    long removed = database.run("DELETE FROM " + table() + same);
    database.run("DELETE FROM " + pending() + same);
    database.run("INSERT INTO " + pending() + " SELECT " + both + " FROM " + name);
    long added =
        database.run(
            String.format(
                "INSERT INTO %s SELECT %s FROM %s WHERE %s AND %s",
                table(), stored.columns(), name, StateLayout.LIVE, stored.notEvicted(evictedTo)));
    return added - removed;
  }

  long evict(Watermark watermark) {
    return database.run("DELETE FROM " + table() + " WHERE " + stored.evicted(watermark));
  }

  /** What the task changed. A value whose text does not come back the same is an error. */
  List<ItemBatch.Changed> changed(boolean evictFollows, Watermark evictedTo) {
    List<Column> columns = layout.columns().columns();
    String texts =
        columns.stream()
            .map(c -> "CAST(" + Sql.name(c.name()) + " AS VARCHAR)")
            .collect(joining(", "));
    String exact =
        columns.stream()
            .map(
                c ->
                    String.format(
                        "TRY_CAST(CAST(%1$s AS VARCHAR) AS %2$s) IS NOT DISTINCT FROM %1$s",
                        Sql.name(c.name()), c.type()))
            .collect(joining(" AND "));
    return database.rows(
        String.format(
            "SELECT %s, %s, CAST(to_json([%s]) AS VARCHAR), %s, %s, (%s) IS TRUE FROM %s",
            StateLayout.BUCKET,
            sort(evictFollows),
            texts,
            exact,
            StateLayout.LIVE,
            stored.isEvictedBy(evictedTo) ? stored.evicted(evictedTo) : "false",
            pending()),
        row -> {
          if (!row.getBoolean(4)) {
            throw new TidemillException(
                    ErrorCode.UNSUPPORTED,
                    "A column of the state has a type that items do not keep exactly. Keep the"
                        + " state in objects: SET state = 'object'.")
                .with("operator", operator)
                .with("columns", stored.text());
          }
          return new ItemBatch.Changed(
              keys.key(row.getInt(1), row.getString(2)),
              row.getString(3),
              row.getBoolean(5),
              row.getBoolean(6));
        });
  }
}

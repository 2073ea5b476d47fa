package io.tidemill.state;

import static java.util.stream.Collectors.joining;

import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.state.StateFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The DuckDB table of a shard's live rows, and the SQL that fills and changes it. */
final class ShardRows {
  /** Tells which of several deltas is the last; no column of a layout should have this name. */
  private static final String ORDINAL = "_tidemill_ordinal";

  private final String name;
  private final StoredLayout layout;
  private final Database database;
  private long count;

  /** No row is evicted by a watermark before it; empty if it must be asked for. */
  private OptionalLong earliestMicros = OptionalLong.empty();

  /** Whether a key column may hold a null; empty if it must be asked for. */
  private Optional<Boolean> nullKeys = Optional.empty();

  ShardRows(String name, StoredLayout layout, Database database) {
    this.name = name;
    this.layout = layout;
    this.database = database;
  }

  long count() {
    return count;
  }

  /** Replaces the table by what the files say. */
  void load(List<StateFile> files, Map<String, Path> paths, Watermark evictedTo) {
    List<StateFile> bases = files.stream().filter(StateFile::base).toList();
    List<StateFile> deltas = files.stream().filter(f -> !f.base()).toList();
    count = 0;
    earliestMicros = OptionalLong.empty();
    nullKeys = Optional.empty();
    database.run("CREATE OR REPLACE TABLE " + name + layout.ddl(""));
    if (deltas.isEmpty()) {
      loadBases(bases, paths, evictedTo, "");
      return;
    }
    String last = lastOf(deltas, paths);
    // A base is the first file of its buckets, so every delta is later than it.
    List<Boolean> nullable = Collections.nCopies(layout.keyCount(), true);
    loadBases(bases, paths, evictedTo, " ANTI JOIN " + last + " c ON " + sameKey(nullable));
    insertLive(last, evictedTo);
    database.run("DROP TABLE " + last);
  }

  private void loadBases(
      List<StateFile> bases, Map<String, Path> paths, Watermark evictedTo, String antiJoin) {
    if (bases.isEmpty()) {
      return;
    }
    String rows =
        bases.stream()
            .map(f -> "SELECT " + layout.fromFile() + " FROM " + StateFiles.scan(f, paths))
            .collect(joining(" UNION ALL "));
    count +=
        database.run(
            "INSERT INTO "
                + name
                + " SELECT * FROM (SELECT * FROM ("
                + rows
                + ") WHERE "
                + layout.notEvicted(evictedTo)
                + ") s"
                + antiJoin);
  }

  /** Adds what further deltas say. */
  void catchUp(List<StateFile> deltas, Map<String, Path> paths, Watermark evictedTo) {
    String last = lastOf(deltas, paths);
    merge(last, Changes.in(last, layout, database), evictedTo, Optional.empty());
    database.run("DROP TABLE " + last);
  }

  /** Makes a table of the last change of each key. */
  private String lastOf(List<StateFile> deltas, Map<String, Path> paths) {
    String table = name + "_deltas";
    List<String> selects = new ArrayList<>();
    for (StateFile delta : deltas) {
      selects.add(
          String.format(
              Locale.ROOT,
              "SELECT %s, %s, %d AS %s FROM %s",
              layout.fromFile(),
              StateLayout.LIVE,
              selects.size(),
              ORDINAL,
              StateFiles.scan(delta, paths)));
    }
    database.run(
        "CREATE OR REPLACE TEMP TABLE "
            + table
            + " AS SELECT * EXCLUDE "
            + ORDINAL
            + " FROM ("
            + String.join(" UNION ALL ", selects)
            + ")"
            + (deltas.size() == 1
                ? ""
                : " QUALIFY row_number() OVER ("
                    + layout.partitionByKey()
                    + " ORDER BY "
                    + ORDINAL
                    + " DESC) = 1"));
    return table;
  }

  /**
   * Replaces, inserts and removes the rows of a table of changes.
   *
   * @param rowColumn column with the number of the row that each replaces, if that is known
   */
  void merge(String changes, Changes about, Watermark evictedTo, Optional<String> rowColumn) {
    if (about.rows() == 0) {
      return;
    }
    count -=
        database.repeat(
            rowColumn
                .map(
                    row ->
                        "DELETE FROM "
                            + name
                            + " WHERE rowid IN (SELECT "
                            + row
                            + " FROM "
                            + changes
                            + ")")
                .orElseGet(
                    () ->
                        "DELETE FROM "
                            + name
                            + " s USING "
                            + changes
                            + " c WHERE "
                            + sameKey(about.nullable())));
    insertLive(changes, evictedTo);
    nullKeys = nullKeys.map(before -> before || about.nullable().contains(true));
    if (earliestMicros.isPresent()) {
      long earliest = Math.min(earliestMicros.getAsLong(), about.earliestMicros());
      earliestMicros = OptionalLong.of(earliest);
    }
  }

  private String sameKey(List<Boolean> nullable) {
    return layout.sameKey("s", "c", nullable);
  }

  private void insertLive(String changes, Watermark evictedTo) {
    count +=
        database.run(
            String.format(
                "INSERT INTO %s SELECT %s FROM %s WHERE %s AND %s",
                name, layout.columns(), changes, StateLayout.LIVE, layout.notEvicted(evictedTo)));
  }

  /** False if no key column holds a null. */
  boolean mayHoldNullKeys() {
    if (nullKeys.isEmpty()) {
      List<Boolean> nullable = Changes.in(name, layout, database).nullable();
      nullKeys = Optional.of(nullable.contains(true));
    }
    return nullKeys.get();
  }

  /** False if no row's eviction column is at or before the watermark. */
  boolean mayEvict(Watermark watermark) {
    if (!layout.isEvictedBy(watermark)) {
      return false;
    }
    if (earliestMicros.isEmpty()) {
      String sql = "SELECT " + layout.earliestMicros() + " FROM " + name;
      earliestMicros = OptionalLong.of(database.row(sql, row -> row.getLong(1)));
    }
    return StoredLayout.micros(watermark) >= earliestMicros.getAsLong();
  }

  long evict(Watermark watermark) {
    if (!mayEvict(watermark)) {
      return 0;
    }
    earliestMicros = OptionalLong.empty();
    long evicted = database.run("DELETE FROM " + name + " WHERE " + layout.evicted(watermark));
    count -= evicted;
    return evicted;
  }

  void drop() {
    database.run("DROP TABLE IF EXISTS " + name);
  }

  /**
   * What must be known of a table of changes before it is merged.
   *
   * @param bucketMin smallest bucket; anything if there are no rows
   * @param earliestMicros least value of the eviction column
   * @param nullable for each key column, whether it holds a null
   */
  record Changes(
      long rows, int bucketMin, int bucketMax, long earliestMicros, List<Boolean> nullable) {
    static Changes in(String table, StoredLayout layout, Database database) {
      String nulls =
          layout.layout().keyColumns().stream()
              .map(key -> ", count(" + Sql.name(key) + ")")
              .collect(joining());
      String sql =
          String.format(
              "SELECT count(*), min(%1$s), max(%1$s), %2$s%3$s FROM %4$s",
              StateLayout.BUCKET, layout.earliestMicros(), nulls, table);
      return database.repeatedRow(
          sql,
          row -> {
            List<Boolean> nullable = new ArrayList<>();
            for (int i = 0; i < layout.keyCount(); i++) {
              nullable.add(row.getLong(5 + i) < row.getLong(1));
            }
            return new Changes(
                row.getLong(1), row.getInt(2), row.getInt(3), row.getLong(4), nullable);
          });
    }
  }
}

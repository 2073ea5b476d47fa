package io.tidemill.state;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The live rows of one shard of an operator's state in objects, all of them. */
final class StateTable implements SavedState {
  /** Rows of a row group of DuckDB's Parquet files. */
  private static final long ROW_GROUP = 122_880;

  private static final long KEPT_ROWS_MAX = 10_000;

  private final int operator;
  private final StoredLayout layout;
  private final Buckets shard;
  private final Database database;
  private final StateFiles files;
  private final StateSettings settings;
  private final ShardRows rows;

  /** Files whose content the table had when it was loaded or saved. */
  private List<StateFile> applied = List.of();

  /** Rows at or before it are not in the table. */
  private Watermark evictedTo = Watermark.NONE;

  /** True if the table may hold more than the files; false until it is loaded first. */
  private boolean changed = true;

  /** The table of changes since the last save: one given, or one made of several; or empty. */
  private String pending = "";

  private long pendingRows;

  StateTable(
      int operator,
      StoredLayout layout,
      Buckets shard,
      Database database,
      StateFiles files,
      StateSettings settings) {
    this.operator = operator;
    this.layout = layout;
    this.shard = shard;
    this.database = database;
    this.files = files;
    this.settings = settings;
    this.rows = new ShardRows(table(), layout, database);
  }

  boolean isOf(StateLayout other, Buckets range) {
    return layout.layout().equals(other) && shard.equals(range);
  }

  /**
   * Brings the table to a version: by what it lacks if it is a little behind, else from scratch.
   */
  void moveTo(StateVersion version) {
    List<StateFile> needed = version.files(shard);
    Watermark evicted = layout.isEvicting() ? version.evictedTo() : Watermark.NONE;
    if (isBehind(needed, evicted)) {
      List<StateFile> lacking = needed.subList(applied.size(), needed.size());
      if (!lacking.isEmpty()) {
        rows.catchUp(lacking, files.open(lacking, layout), evicted);
      }
      if (evictedTo.compareTo(evicted) < 0) {
        rows.evict(evicted);
      }
    } else {
      rows.load(needed, files.open(needed, layout), evicted);
    }
    applied = needed;
    evictedTo = evicted;
    forgetPending();
    changed = false;
  }

  private boolean isBehind(List<StateFile> needed, Watermark evicted) {
    return !changed
        && evictedTo.compareTo(evicted) <= 0
        && applied.size() <= needed.size()
        && needed.subList(0, applied.size()).equals(applied)
        && needed.stream().skip(applied.size()).noneMatch(StateFile::base);
  }

  @Override
  public String table() {
    return "_tidemill_state_" + operator;
  }

  @Override
  public long rows() {
    return rows.count();
  }

  @Override
  public void apply(String changes) {
    apply(changes, Optional.empty());
  }

  @Override
  public void applyByRow(String changes) {
    apply(changes, Optional.of(ROW));
  }

  private void apply(String changesTable, Optional<String> rowColumn) {
    ShardRows.Changes changes = ShardRows.Changes.in(changesTable, layout, database);
    boolean outside = changes.bucketMin() < shard.from() || changes.bucketMax() >= shard.to();
    if (changes.rows() > 0 && outside) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "A change of keyed state is in a bucket of another shard.")
          .with("operator", operator)
          .with("shard", shard)
          .with("bucketMin", changes.bucketMin())
          .with("bucketMax", changes.bucketMax());
    }
    changed |= changes.rows() > 0;
    rows.merge(changesTable, changes, evictedTo, rowColumn);
    remember(changesTable, changes);
  }

  private void remember(String table, ShardRows.Changes changes) {
    if (pending.isEmpty()) {
      pending = table;
      pendingRows = changes.rows();
      return;
    }
    if (table.equals(pending)) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "A table of changes was applied twice before it was saved.")
          .with("operator", operator)
          .with("table", table);
    }
    String columns = layout.columns() + ", " + StateLayout.LIVE;
    String several = "_tidemill_pending_" + operator;
    if (!pending.equals(several)) {
      // Whoever made the first one may have used narrower types than those of the layout.
      database.run(
          "CREATE OR REPLACE TEMP TABLE "
              + several
              + layout.ddl(", " + StateLayout.LIVE + " BOOLEAN"));
      database.run("INSERT INTO " + several + " SELECT " + columns + " FROM " + pending);
      database.run("DROP TABLE " + pending);
      pending = several;
    }
    pendingRows -=
        database.run(
            String.format(
                "DELETE FROM %s p USING %s c WHERE %s",
                pending, table, layout.sameKey("p", "c", changes.nullable())));
    pendingRows += database.run("INSERT INTO " + pending + " SELECT " + columns + " FROM " + table);
    database.run("DROP TABLE " + table);
  }

  @Override
  public boolean mayHoldNullKeys() {
    return rows.mayHoldNullKeys();
  }

  @Override
  public boolean mayEvict(Watermark watermark) {
    return rows.mayEvict(watermark);
  }

  /** No file needs to say so: the next version's {@link StateVersion#evictedTo} does. */
  @Override
  public long evict(Watermark watermark) {
    if (!layout.isEvicting() || watermark.compareTo(evictedTo) <= 0) {
      return 0;
    }
    changed = true;
    long evicted = rows.evict(watermark);
    evictedTo = watermark;
    return evicted;
  }

  /**
   * Writes what was changed since the load as one file, or all rows if the files before it are not
   * worth keeping. Nothing is written if nothing was changed, or if no row is left: then the change
   * drops the files there are.
   */
  @Override
  public StateChange save(TaskId task, AttemptId attempt) {
    List<StateFile> added = List.of();
    boolean rebased = false;
    if (rows.count() == 0) {
      rebased = !applied.isEmpty();
    } else if (pendingRows > 0) {
      long fileRows = pendingRows + applied.stream().mapToLong(StateFile::rows).sum();
      rebased =
          applied.isEmpty() || settings.worthRewriting(applied.size() + 1, fileRows, rows.count());
      StateFile file = newFile(task, attempt, rebased);
      added = List.of(files.write(rebased ? baseSelect() : deltaSelect(), layout, file));
    }
    List<StateFile> now = new ArrayList<>(rebased ? List.of() : applied);
    now.addAll(added);
    applied = List.copyOf(now);
    forgetPending();
    changed = false;
    return new StateChange(operator, shard, added, rebased, rows.count());
  }

  private StateFile newFile(TaskId task, AttemptId attempt, boolean base) {
    String key =
        String.format(
            Locale.ROOT,
            "state/%d/%s/%010d-%d-%d-%s.parquet",
            operator,
            task.timeline(),
            task.batch().value(),
            shard.from(),
            shard.to(),
            attempt);
    return new StateFile(key, shard, base, 0, 0, 0, task.batch().value());
  }

  private String baseSelect() {
    return "SELECT " + layout.toFile() + " FROM " + table() + sorted(rows.count());
  }

  /**
   * Sorted by bucket, so that readers of some buckets skip row groups; a single row group has none
   * to skip. Sorting by key too would double the time to write a base.
   */
  private static String sorted(long rows) {
    return rows > ROW_GROUP ? " ORDER BY " + StateLayout.BUCKET : "";
  }

  /** Also rows evicted since they were changed: they replace older ones, which may not be. */
  private String deltaSelect() {
    return String.format(
        "SELECT %s, %s FROM %s%s",
        layout.changesToFile(), StateLayout.LIVE, pending, sorted(pendingRows));
  }

  /** A small table stays until the next changes replace it, which is quicker. */
  private void forgetPending() {
    if (pendingRows > KEPT_ROWS_MAX) {
      // If a task failed, somebody may have tidied up behind it.
      database.run("DROP TABLE IF EXISTS " + pending);
    }
    pending = "";
    pendingRows = 0;
  }

  void drop() {
    forgetPending();
    rows.drop();
  }
}

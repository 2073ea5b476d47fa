package io.tidemill.state;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.duckdb.DuckDBConnection;

/** A function instance as far as keyed state goes: a DuckDB of its own, and what it keeps warm. */
final class Instance implements AutoCloseable {
  static final int OPERATOR = 3;
  private static final AtomicLong ATTEMPTS = new AtomicLong();

  private final DuckDBConnection db;
  final ObjectState state;
  private int applied;

  Instance(Blob checkpoint, Path scratch, StateSettings settings) {
    try {
      db = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    run("SET threads = 1");
    run("SET TimeZone = 'UTC'");
    state = new ObjectState(checkpoint, db, scratch, settings);
  }

  DuckDBConnection connection() {
    return db;
  }

  void run(String sql) {
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Rows as texts, with columns separated by a bar. */
  List<String> rows(String sql) {
    try (Statement statement = db.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      int columns = results.getMetaData().getColumnCount();
      while (results.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(results.getString(i));
        }
        rows.add(String.join("|", row.stream().map(String::valueOf).toList()));
      }
      return rows;
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  SavedState load(StateLayout layout, StateVersion version, Buckets shard) {
    return state.open(place(version, shard, 0), layout);
  }

  static StatePlace place(StateVersion version, Buckets shard, long batch) {
    return new StatePlace(new QueryId("q"), task(batch), OPERATOR, shard, version);
  }

  static TaskId task(long batch) {
    return new TaskId(Timeline.FIRST, new BatchId(batch), OPERATOR, 0);
  }

  /** Applies the rows of a query as changes. */
  void apply(SavedState table, String select) {
    String changes = "changes_" + ++applied;
    run("CREATE TABLE " + changes + " AS " + select);
    table.apply(changes);
  }

  static StateChange save(SavedState table, long batch) {
    return table.save(task(batch), new AttemptId("attempt-" + ATTEMPTS.incrementAndGet()));
  }

  @Override
  public void close() {
    state.close();
    try {
      db.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}

package io.tidemill.engine;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Statements;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/**
 * The in-memory DuckDB of one function instance. One thread at a time. Expressions in it reach no
 * files but those in the directories given, no network, and cannot change settings.
 */
public final class Duck implements AutoCloseable {
  private static final long KEPT_ROWS_MAX = 10_000;

  private final DuckDBConnection connection;
  private final Statements statements;
  private final Map<String, Long> created = new HashMap<>();

  /**
   * @param directories directories that the instance itself reads and writes
   * @param memoryBytes memory limit, 0 for DuckDB's own
   */
  public Duck(List<Path> directories, long memoryBytes) {
    try {
      connection = DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
      statements = new Statements(connection);
      // One thread keeps the order of rows, and so replays equal.
      execute("SET threads = 1");
      execute("SET TimeZone = 'UTC'");
      execute("SET checkpoint_threshold = '64MB'");
      execute("SET autoinstall_known_extensions = false");
      execute("SET autoload_known_extensions = false");
      if (memoryBytes > 0) {
        execute("SET memory_limit = '" + memoryBytes + "B'");
      }
      if (!directories.isEmpty()) {
        execute("SET temp_directory = " + text(directories.get(0).resolve("spill")));
      }
      execute(
          "SET allowed_directories = "
              + directories.stream().map(Duck::text).collect(Collectors.joining(", ", "[", "]")));
      execute("SET enable_external_access = false");
      execute("SET lock_configuration = true");
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "DuckDB could not be started.", e);
    }
  }

  private static String text(Path path) {
    return io.tidemill.protocol.schema.Sql.text(path.toAbsolutePath() + "/");
  }

  public DuckDBConnection connection() {
    return connection;
  }

  /** Runs a statement; an error is that of the query. */
  public void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw failed(e, sql);
    }
  }

  /** Runs a statement that every batch has, with values for its question marks. */
  public void repeat(String sql, Object... values) {
    try {
      PreparedStatement statement = statements.of(sql);
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.execute();
    } catch (SQLException e) {
      throw failed(e, sql);
    }
  }

  /** Makes a table of a query's rows, in place of one of the same name; returns how many. */
  public long create(String table, String select) {
    String sql = "CREATE OR REPLACE TABLE " + table + " AS " + select;
    try {
      long rows = statements.of(sql).executeLargeUpdate();
      created.put(table, rows);
      return rows;
    } catch (SQLException e) {
      throw failed(e, sql);
    }
  }

  /** Runs statements in one transaction; none of them has happened if one fails. */
  public <T> T together(Supplier<T> statements) {
    execute("BEGIN");
    T result;
    try {
      result = statements.get();
    } catch (RuntimeException e) {
      try {
        execute("ROLLBACK");
      } catch (RuntimeException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
    execute("COMMIT");
    return result;
  }

  /**
   * Gives up tables that {@link #create} made. Small ones stay until they are made anew, which is
   * quicker than dropping them first.
   */
  public void release(Collection<String> tables) {
    List<String> large =
        tables.stream().filter(t -> created.getOrDefault(t, 0L) > KEPT_ROWS_MAX).toList();
    if (!large.isEmpty()) {
      drop(large);
      large.forEach(created::remove);
    }
  }

  /**
   * The first row of a query, or an empty list. Numbers come as Long or Double, all else as text.
   */
  public List<Object> row(String sql) {
    List<List<Object>> rows = rows(sql, 1);
    return rows.isEmpty() ? List.of() : rows.get(0);
  }

  /** The same for a query over tables alone that every batch has. */
  public List<Object> repeatedRow(String sql) {
    try (ResultSet result = statements.of(sql).executeQuery()) {
      return read(result, 1).get(0);
    } catch (SQLException e) {
      throw failed(e, sql);
    }
  }

  /** The first value of the first row as a whole number; 0 if it is null. */
  public long number(String sql) {
    Object value = row(sql).get(0);
    return value == null ? 0 : ((Number) value).longValue();
  }

  /** At most {@code limit} rows of a query. */
  public List<List<Object>> rows(String sql, int limit) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return read(result, limit);
    } catch (SQLException e) {
      throw failed(e, sql);
    }
  }

  private static List<List<Object>> read(ResultSet result, int limit) throws SQLException {
    List<List<Object>> rows = new ArrayList<>();
    int columns = result.getMetaData().getColumnCount();
    while (rows.size() < limit && result.next()) {
      List<Object> row = new ArrayList<>();
      for (int i = 1; i <= columns; i++) {
        Object value = result.getObject(i);
        row.add(value instanceof Number || value == null ? value : value.toString());
      }
      rows.add(row);
    }
    return rows;
  }

  /** Columns of a query. */
  public Schema describe(String sql) {
    List<Column> columns = new ArrayList<>();
    for (List<Object> row : rows("DESCRIBE " + sql, Integer.MAX_VALUE)) {
      columns.add(Column.of(row.get(0).toString(), row.get(1).toString()));
    }
    return new Schema(columns);
  }

  /** Drops tables that are there, in one statement. */
  public void drop(List<String> tables) {
    execute(
        tables.stream().map(t -> "DROP TABLE IF EXISTS " + t).collect(Collectors.joining("; ")));
  }

  public void drop(String table) {
    drop(List.of(table));
  }

  private static TidemillException failed(SQLException e, String sql) {
    String message = e.getMessage() == null ? "" : e.getMessage();
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("no space left on device")) {
      return new TidemillException(
          ErrorCode.STORAGE_FULL, "The disk is full; free some space and run again.", e);
    }
    if (lower.contains("out of memory")) {
      return new TidemillException(
          ErrorCode.QUERY_FAILED,
          "A task ran out of memory; make batches smaller (maxOffsetsPerTrigger) or give it more.",
          e);
    }
    int line = message.indexOf("\n\nLINE ");
    return new TidemillException(
            ErrorCode.QUERY_FAILED, "An expression of the query failed on a row.", e)
        .with("error", (line < 0 ? message : message.substring(0, line)).strip())
        .with("statement", sql.length() > 200 ? sql.substring(0, 200) + "…" : sql);
  }

  @Override
  public void close() {
    try {
      statements.close();
      connection.close();
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "DuckDB could not be closed.", e);
    }
  }
}

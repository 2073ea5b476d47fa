package io.tidemill.state;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** SQL on the instance's DuckDB, whose connection stays the caller's. */
final class Database implements AutoCloseable {
  private final DuckDBConnection connection;
  private final Statements statements;

  Database(DuckDBConnection connection) {
    this.connection = connection;
    this.statements = new Statements(connection);
  }

  /** Reads one row. */
  @FunctionalInterface
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Runs a statement and returns the rows it changed or copied. */
  long run(String sql) {
    try (Statement statement = connection.createStatement()) {
      return statement.executeLargeUpdate(sql);
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  /** The same for a statement over tables alone that every batch has. */
  long repeat(String sql) {
    try {
      return statements.of(sql).executeLargeUpdate();
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  <T> List<T> rows(String sql, Row<T> row) {
    try (Statement statement = connection.createStatement();
        ResultSet results = statement.executeQuery(sql)) {
      List<T> rows = new ArrayList<>();
      while (results.next()) {
        rows.add(row.read(results));
      }
      return rows;
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  <T> T row(String sql, Row<T> row) {
    return rows(sql, row).get(0);
  }

  /** Appends rows of texts to a table whose columns are all VARCHAR. */
  void append(String table, List<String[]> rows) {
    try (DuckDBAppender appender = connection.createAppender(table)) {
      for (String[] row : rows) {
        appender.beginRow();
        for (String text : row) {
          if (text == null) {
            appender.appendNull();
          } else {
            appender.append(text);
          }
        }
        appender.endRow();
      }
    } catch (SQLException e) {
      throw failed("append to " + table, e);
    }
  }

  /** The same for a query over tables alone that every batch has. */
  <T> T repeatedRow(String sql, Row<T> row) {
    try (ResultSet results = statements.of(sql).executeQuery()) {
      results.next();
      return row.read(results);
    } catch (SQLException e) {
      throw failed(sql, e);
    }
  }

  boolean isClosed() {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      throw failed("close", e);
    }
  }

  @Override
  public void close() {
    try {
      statements.close();
    } catch (SQLException e) {
      throw failed("close", e);
    }
  }

  private static TidemillException failed(String sql, SQLException cause) {
    String message = String.valueOf(cause.getMessage());
    if (message.contains("No space left on device") || message.contains("Disk quota exceeded")) {
      return new TidemillException(
          ErrorCode.STORAGE_FULL,
          "Keyed state does not fit on the scratch disk. Free some space, then run again.",
          cause);
    }
    return new TidemillException(
            ErrorCode.INTERNAL, "A statement on keyed state failed: please report it.", cause)
        .with("sql", sql)
        .with("reason", message.lines().findFirst().orElse(""));
  }
}

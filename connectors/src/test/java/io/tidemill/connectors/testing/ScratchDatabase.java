package io.tidemill.connectors.testing;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;

/** A database as a function has it: it reaches no file outside of its scratch directory. */
public final class ScratchDatabase implements AutoCloseable {
  private final DuckDBConnection connection;

  public ScratchDatabase(Path scratch) {
    try {
      connection = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    execute("SET threads = 1");
    execute("SET TimeZone = 'UTC'");
    execute("SET allowed_directories = [" + Sql.text(scratch.toString()) + "]");
    execute("SET enable_external_access = false");
    execute("SET lock_configuration = true");
  }

  public DuckDBConnection connection() {
    return connection;
  }

  public void create(String table, Schema columns) {
    execute("CREATE OR REPLACE TABLE " + Sql.name(table) + columns.ddl());
  }

  public void execute(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Rows as texts, values joined by a bar, nulls as "null". */
  public List<String> rows(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          values.add(String.valueOf(result.getString(i)));
        }
        rows.add(String.join("|", values));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}

package io.tidemill.local;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.staged.JavaValues;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.engine.Duck;
import io.tidemill.function.StaticTables;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.TablePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs queries over static tables in this process, one at a time. The database is opened with the
 * first and kept. Thread-safe.
 */
public final class StaticQueries implements AutoCloseable {
  private final Connectors connectors;
  private final Path scratch;
  private Duck duck;

  /**
   * @param scratch a local directory of this object alone; it is made, and removed after each query
   */
  public StaticQueries(Connectors connectors, Path scratch) {
    this.connectors = connectors;
    this.scratch = scratch;
  }

  /**
   * All rows, values as {@link JavaValues} gives them.
   *
   * @param sql a SELECT as the analysis of queries gives it
   * @param columns its columns
   * @param nowMillis what the query takes for the current time
   */
  public synchronized List<List<Object>> rows(
      String sql, Schema columns, List<TablePlan> tables, long nowMillis) {
    if (duck == null) {
      duck = new Duck(List.of(directory()), 0);
    }
    duck.execute("SET VARIABLE tidemill_batch_time = make_timestamptz(" + nowMillis * 1000 + ")");
    try {
      StaticTables.load(tables, connectors, duck, scratch);
      return rows(sql, columns);
    } finally {
      tables.forEach(t -> duck.drop(Sql.name(t.name())));
    }
  }

  private Path directory() {
    try {
      return Files.createDirectories(scratch).toRealPath();
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "The scratch directory cannot be used.", e)
          .with("directory", scratch);
    }
  }

  private List<List<Object>> rows(String sql, Schema columns) {
    String items =
        columns.columns().stream().map(StaticQueries::item).collect(Collectors.joining(", "));
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = duck.connection().createStatement();
        ResultSet result = statement.executeQuery("SELECT " + items + " FROM (" + sql + ")")) {
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns.columns().size(); i++) {
          row.add(JavaValues.of(result.getObject(i)));
        }
        rows.add(row);
      }
    } catch (SQLException e) {
      throw new TidemillException(
              ErrorCode.QUERY_FAILED, "An expression of the query failed on a row.", e)
          .with("error", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    return rows;
  }

  private static String item(Column column) {
    String type = SqlType.parse(column.type()).zoned().text();
    return "CAST(" + Sql.name(column.name()) + " AS " + type + ")";
  }

  @Override
  public synchronized void close() {
    if (duck != null) {
      duck.close();
      duck = null;
    }
  }
}

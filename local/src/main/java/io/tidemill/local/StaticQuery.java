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
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A query over static tables, run once in this process.
 *
 * @param sql a SELECT as the analysis of queries gives it
 * @param columns its columns
 */
public record StaticQuery(String sql, Schema columns, List<TablePlan> tables) {
  public StaticQuery {
    tables = List.copyOf(tables);
  }

  /**
   * All rows, values as {@link JavaValues} gives them.
   *
   * @param scratch a local directory; what is put there is removed
   * @param nowMillis what the query takes for the current time
   */
  public List<List<Object>> rows(Connectors connectors, Path scratch, long nowMillis) {
    try (Duck duck = new Duck(List.of(scratch), 0)) {
      duck.execute(
          "SET VARIABLE tidemill_batch_time = make_timestamptz(" + nowMillis * 1000 + ")");
      StaticTables.load(tables, connectors, duck, scratch);
      return rows(duck);
    }
  }

  private List<List<Object>> rows(Duck duck) {
    String items =
        columns.columns().stream().map(StaticQuery::item).collect(Collectors.joining(", "));
    List<List<Object>> rows = new ArrayList<>();
    try (Statement statement = duck.connection().createStatement();
        ResultSet result =
            statement.executeQuery("SELECT " + items + " FROM (" + sql + ")")) {
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns.columns().size(); i++) {
          row.add(JavaValues.of(result.getObject(i)));
        }
        rows.add(row);
      }
    } catch (SQLException e) {
      throw new TidemillException(
              ErrorCode.QUERY_FAILED, "A query over static tables failed.", e)
          .with("error", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    return rows;
  }

  private static String item(Column column) {
    String type = SqlType.parse(column.type()).zoned().text();
    return "CAST(" + Sql.name(column.name()) + " AS " + type + ")";
  }
}

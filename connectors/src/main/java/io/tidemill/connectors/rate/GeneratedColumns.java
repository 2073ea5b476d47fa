package io.tidemill.connectors.rate;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** The columns of generated rows, a timestamp and a counter, and their insertion by SQL. */
final class GeneratedColumns {
  static final Schema SCHEMA = Schema.of("timestamp", "TIMESTAMP", "value", "BIGINT");

  private GeneratedColumns() {}

  /** Declared columns may only repeat the generated ones. */
  static void check(Options options, Schema declared) {
    for (Column column : declared.columns()) {
      boolean same =
          SCHEMA
              .find(column.name())
              .map(c -> SqlType.parse(c.type()).kind() == SqlType.parse(column.type()).kind())
              .orElse(false);
      if (!same) {
        throw new TidemillException(
                ErrorCode.UNKNOWN_NAME,
                "A generated stream has the columns timestamp TIMESTAMP and value BIGINT only."
                    + Nearest.hint(column.name(), SCHEMA.names()))
            .with("column", column.name())
            .with("for", options.owner());
      }
    }
  }

  /**
   * Inserts rows whose values are every {@code parts}-th of a range.
   *
   * @param from first value of the range
   * @param to end of the range, exclusive
   * @param part which share of the range, from 0
   * @param micros SQL for the timestamp in microseconds since the epoch, over {@code value}
   */
  static Map<String, Long> insert(
      DuckDBConnection db,
      String table,
      Set<String> columns,
      long from,
      long to,
      long part,
      long parts,
      String micros) {
    long first = from + part;
    long rows = first >= to ? 0 : (to - first + parts - 1) / parts;
    List<String> names =
        SCHEMA.names().stream()
            .filter(n -> columns.stream().anyMatch(n::equalsIgnoreCase))
            .toList();
    String select =
        names.stream()
            .map(n -> n.equals("value") ? "value" : "make_timestamp(" + micros + ")")
            .collect(Collectors.joining(", "));
    String sql =
        String.format(
            Locale.ROOT,
            "INSERT INTO %s SELECT %s FROM (SELECT %d + %d * i AS value FROM range(%d) r(i))",
            Sql.name(table),
            select,
            first,
            parts,
            rows);
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "Rows could not be generated.", e);
    }
    return Map.of("rows", rows);
  }
}

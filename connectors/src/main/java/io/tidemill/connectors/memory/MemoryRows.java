package io.tidemill.connectors.memory;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Puts JSON rows into a table of declared types, exactly. Each value becomes the text that DuckDB
 * casts to the column's type without loss; nested values become JSON of such texts.
 */
final class MemoryRows {
  private static final String STAGE = "tidemill_memory_rows";

  private final Schema declared;
  private final Schema wanted;
  private final List<SqlType> types;

  MemoryRows(Schema declared, Schema wanted) {
    this.declared = declared;
    this.wanted = wanted;
    this.types = wanted.columns().stream().map(c -> SqlType.parse(c.type())).toList();
  }

  /** Fails for column types that cannot be filled from JSON. */
  static void check(Schema declared) {
    declared.columns().forEach(c -> JsonTexts.check(SqlType.parse(c.type())));
  }

  /** The wanted columns of a row; {@code place} says where it is, for messages. */
  List<String> texts(JsonNode row, String place) {
    checkShape(row, place);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      Column column = wanted.columns().get(i);
      try {
        texts.add(JsonTexts.of(value(row, column), types.get(i)));
      } catch (IllegalArgumentException | ArithmeticException | java.time.DateTimeException e) {
        throw new TidemillException(
                ErrorCode.MALFORMED_RECORD,
                "A value of a memory stream is not of the column's type.",
                e)
            .with("at", place)
            .with("column", column.name())
            .with("type", column.type());
      }
    }
    return texts;
  }

  private JsonNode value(JsonNode row, Column column) {
    if (row.isArray()) {
      return row.get(declared.columns().indexOf(column));
    }
    Iterator<String> names = row.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (name.equalsIgnoreCase(column.name())) {
        return row.get(name);
      }
    }
    return null;
  }

  private void checkShape(JsonNode row, String place) {
    if (row.isArray() && row.size() == declared.columns().size()) {
      return;
    }
    if (!row.isObject()) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD,
              "A row of a memory stream is neither an object nor a list of one value per column.")
          .with("at", place);
    }
    row.fieldNames()
        .forEachRemaining(
            name -> {
              if (declared.find(name).isEmpty()) {
                throw new TidemillException(
                        ErrorCode.MALFORMED_RECORD,
                        "A row of a memory stream has an undeclared column."
                            + Nearest.hint(name, declared.names()))
                    .with("at", place)
                    .with("column", name);
              }
            });
  }

  /** Appends rows to the table, which has the wanted columns. */
  void insert(List<List<String>> rows, DuckDBConnection db, String table) throws SQLException {
    String columns =
        IntStream.range(0, Math.max(1, types.size()))
            .mapToObj(i -> "c" + i + " VARCHAR")
            .collect(Collectors.joining(", "));
    execute(db, "CREATE OR REPLACE TABLE " + STAGE + " (" + columns + ")");
    try (DuckDBAppender appender = db.createAppender(STAGE)) {
      for (List<String> row : rows) {
        appender.beginRow();
        for (String text : row) {
          appender.append(text);
        }
        appender.endRow();
      }
    }
    String select =
        IntStream.range(0, types.size())
            .mapToObj(i -> expression("c" + i, types.get(i)))
            .collect(Collectors.joining(", "));
    execute(db, "INSERT INTO " + Sql.name(table) + " SELECT " + select + " FROM " + STAGE);
    execute(db, "DROP TABLE " + STAGE);
  }

  private static String expression(String text, SqlType type) {
    if (type.kind() == SqlType.Kind.BINARY) {
      return "encode(" + text + ")";
    }
    String from = type.kind().isNested() ? text + "::JSON" : text;
    return "CAST(" + from + " AS " + type.text() + ")";
  }

  private static void execute(DuckDBConnection db, String sql) throws SQLException {
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    }
  }
}

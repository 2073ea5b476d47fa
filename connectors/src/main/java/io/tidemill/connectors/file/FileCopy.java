package io.tidemill.connectors.file;

import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Sql;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The SQL that writes a file: what DuckDB's writers would lose is put right. Parquet has no HUGEINT
 * (it becomes DECIMAL(38,0)), JSON has no NaN (it becomes a text, as in Spark), and bytes in JSON
 * and CSV are Base64.
 */
final class FileCopy {
  private static final String TIMESTAMP = "%Y-%m-%dT%H:%M:%S.%fZ";

  private final FileSinkOptions options;

  FileCopy(FileSinkOptions options) {
    this.options = options;
  }

  /** The columns in the files, as expressions over the table. */
  String columns() {
    return options.inFiles().stream()
        .map(c -> expression(c) + " AS " + Sql.name(c.name()))
        .collect(Collectors.joining(", "));
  }

  /**
   * A COPY statement.
   *
   * @param select what to write
   * @param more further options, each with a comma before it
   */
  String statement(String select, Path target, String more) {
    return "COPY ("
        + select
        + ") TO "
        + Sql.text(target.toString())
        + " (FORMAT "
        + options.format().connector()
        + ", COMPRESSION "
        + options.compression()
        + formatOptions()
        + more
        + ")";
  }

  private String formatOptions() {
    return switch (options.format()) {
      case JSON -> ", TIMESTAMPFORMAT " + Sql.text(TIMESTAMP);
      case CSV -> {
        CsvDialect csv = options.csv().orElseThrow();
        yield String.format(
            Locale.ROOT,
            ", TIMESTAMPFORMAT %s, HEADER %s, DELIM %s, QUOTE %s, ESCAPE %s, NULLSTR %s",
            Sql.text(TIMESTAMP),
            csv.header(),
            Sql.text(String.valueOf(csv.separator())),
            Sql.text(String.valueOf(csv.quote())),
            Sql.text(String.valueOf(csv.escape())),
            Sql.text(csv.nullValue()));
      }
      default -> "";
    };
  }

  private String expression(Column column) {
    SqlType type = SqlType.parse(column.type());
    String value = Sql.name(column.name());
    return switch (options.format()) {
      case JSON -> json(value, type, 0);
      case CSV -> csv(value, type);
      default -> {
        SqlType stored = type.storable();
        yield stored.equals(type) ? value : "CAST(" + value + " AS " + stored.text() + ")";
      }
    };
  }

  private static String csv(String value, SqlType type) {
    return switch (type.kind()) {
      case FLOAT ->
          "CASE WHEN isfinite("
              + value
              + ") THEN CAST("
              + value
              + " AS VARCHAR) ELSE "
              + notFinite(value)
              + " END";
      case BINARY -> "base64(" + value + ")";
      default -> value;
    };
  }

  private static String json(String value, SqlType type, int depth) {
    String element = "x" + depth;
    return switch (type.kind()) {
      // Through text, for a FLOAT as a DOUBLE has digits that were never written.
      case FLOAT ->
          "CASE WHEN isfinite("
              + value
              + ") THEN to_json(CAST(CAST("
              + value
              + " AS VARCHAR) AS DOUBLE)) ELSE to_json("
              + notFinite(value)
              + ") END";
      case BINARY -> "base64(" + value + ")";
      case LIST -> needsWork(type) ? transform(value, type.element(), element, depth) : value;
      case MAP -> {
        SqlType values = type.fields().get(1).type();
        yield needsWork(values)
            ? "map(map_keys("
                + value
                + "), "
                + transform("map_values(" + value + ")", values, element, depth)
                + ")"
            : value;
      }
      case STRUCT -> needsWork(type) ? struct(value, type, depth) : value;
      default -> value;
    };
  }

  private static String transform(String list, SqlType type, String element, int depth) {
    return "list_transform("
        + list
        + ", lambda "
        + element
        + ": "
        + json(element, type, depth + 1)
        + ")";
  }

  private static String struct(String value, SqlType type, int depth) {
    return type.fields().stream()
        .map(
            f ->
                Sql.name(f.name())
                    + " := "
                    + json("(" + value + ")." + Sql.name(f.name()), f.type(), depth))
        .collect(
            Collectors.joining(
                ", ", "CASE WHEN " + value + " IS NOT NULL THEN struct_pack(", ") END"));
  }

  private static boolean needsWork(SqlType type) {
    return type.kind() == SqlType.Kind.FLOAT
        || type.kind() == SqlType.Kind.BINARY
        || type.fields().stream().anyMatch(f -> needsWork(f.type()));
  }

  /** The text of a value that is not finite; null for null. */
  private static String notFinite(String value) {
    return "CASE WHEN isnan("
        + value
        + ") THEN 'NaN' WHEN "
        + value
        + " > 0 THEN 'Infinity' WHEN "
        + value
        + " < 0 THEN '-Infinity' END";
  }
}

package io.tidemill.api;

import io.tidemill.api.types.DataType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Functions of columns, under Spark's names and with Spark's meaning; for {@code import static
 * io.tidemill.api.functions.*}. What is not here can be written as DuckDB's SQL with {@link #expr}.
 */
@SuppressWarnings("MemberName") // Spark's name, so that an import is all that changes
public final class functions extends TextFunctions {
  private static final String WINDOW_TIME = "window_time({0})";

  private functions() {}

  /** A column by name; {@code a.b} is a field of a struct, or a column of an aliased dataset. */
  public static Column col(String name) {
    return new Column(Named.of(name, Optional.empty()));
  }

  public static Column column(String name) {
    return col(name);
  }

  /** A constant: text, number, boolean, date, time, bytes or null. A column is given back. */
  public static Column lit(Object value) {
    return value instanceof Column column ? column : new Column(Constant.of(value));
  }

  /** An expression in DuckDB's SQL, perhaps with AS and an alias. */
  public static Column expr(String sql) {
    return new Column(new SqlText(sql));
  }

  static List<Column> columns(String first, String... more) {
    List<Column> columns = new ArrayList<>(List.of(col(first)));
    Arrays.stream(more).map(functions::col).forEach(columns::add);
    return columns;
  }

  /** The value where the condition holds; go on with {@code when} and {@code otherwise}. */
  public static Column when(Column condition, Object value) {
    Choice.Branch branch = new Choice.Branch(condition.expression(), Column.expressionOf(value));
    return new Column(new Choice(List.of(branch), Optional.empty()));
  }

  /** A tumbling window of the rows' time: a struct of start and end. */
  public static Column window(Column time, String size) {
    return windowed(time, size);
  }

  /** A sliding window: a row is in each that its time falls in. */
  public static Column window(Column time, String size, String slide) {
    return windowed(time, size, slide);
  }

  /** A sliding window whose start is shifted from the epoch. */
  public static Column window(Column time, String size, String slide, String startTime) {
    return windowed(time, size, slide, startTime);
  }

  private static Column windowed(Column time, String... intervals) {
    StringBuilder sql = new StringBuilder("\"window\"({0}");
    for (String interval : intervals) {
      sql.append(", INTERVAL ").append(Sql.text(interval(interval)));
    }
    return new Column(new Form(sql.append(')').toString(), "window", true, List.of(timed(time))));
  }

  /** A window of another window's time is a window of that window. */
  private static Expression timed(Column time) {
    boolean ofWindow = time.expression() instanceof Form form && form.sql().equals(WINDOW_TIME);
    return ofWindow ? ((Form) time.expression()).arguments().get(0) : time.expression();
  }

  /** The event time of a window: its last microsecond. */
  public static Column window_time(Column window) {
    return new Column(Form.of(WINDOW_TIME, "window_time", window.expression()));
  }

  static String interval(String text) {
    String plain = text.strip().replaceFirst("(?i)^interval\\s+", "");
    if (plain.isEmpty()) {
      throw new TidemillException(
          ErrorCode.INVALID_OPTION, "An interval is a text such as '10 minutes'.");
    }
    return plain;
  }

  public static Column coalesce(Column... columns) {
    return call("coalesce", columns);
  }

  public static Column ifnull(Column column, Column otherwise) {
    return coalesce(column, otherwise);
  }

  public static Column nvl(Column column, Column otherwise) {
    return coalesce(column, otherwise);
  }

  public static Column nullif(Column column, Column other) {
    return call("nullif", column, other);
  }

  public static Column greatest(Column... columns) {
    return call("greatest", columns);
  }

  public static Column least(Column... columns) {
    return call("least", columns);
  }

  public static Column isnull(Column column) {
    return column.isNull();
  }

  public static Column isnan(Column column) {
    return column.isNaN();
  }

  /** The opposite of a condition. */
  public static Column not(Column condition) {
    return new Column(Form.operator("NOT {0}", condition.expression()));
  }

  /** A struct of columns, each under its name; a star means all. */
  public static Column struct(Column... fields) {
    return new Column(new StructOf(List.of(fields)));
  }

  public static Column struct(String field, String... more) {
    return new Column(new StructOf(columns(field, more)));
  }

  public static Column array(Column... values) {
    return call("list_value", "array", values);
  }

  /** A map of keys and values that alternate. */
  public static Column map(Column... keysAndValues) {
    List<Column> keys = new ArrayList<>();
    List<Column> values = new ArrayList<>();
    for (int i = 0; i < keysAndValues.length; i++) {
      (i % 2 == 0 ? keys : values).add(keysAndValues[i]);
    }
    return call("map", array(keys.toArray(new Column[0])), array(values.toArray(new Column[0])));
  }

  /** A row for each element of a list; rows without elements go. */
  public static Column explode(Column list) {
    return new Column(new Form("unnest({0})", "col", true, List.of(list.expression())));
  }

  /** A row for each element of a list, and one with null for a list without elements. */
  public static Column explode_outer(Column list) {
    return new Column(
        new Form(
            "unnest(CASE WHEN len({0}) > 0 THEN {0} ELSE [NULL] END)",
            "col", true, List.of(list.expression())));
  }

  /** The number of elements of a list. */
  public static Column size(Column list) {
    return new Column(Form.of("CAST(len({0}) AS INTEGER)", "size", list.expression()));
  }

  public static Column array_contains(Column list, Object value) {
    return new Column(
        Form.of(
            "list_contains({0}, {1})",
            "array_contains", list.expression(), Column.expressionOf(value)));
  }

  public static Column array_distinct(Column list) {
    return call("list_distinct", "array_distinct", list);
  }

  public static Column sort_array(Column list) {
    return new Column(
        Form.of("list_sort({0}, 'ASC', 'NULLS FIRST')", "sort_array", list.expression()));
  }

  /** An element of a list, the first having position 1, or a value of a map. */
  public static Column element_at(Column listOrMap, Object key) {
    return new Column(
        new Form(
            "({0})[{1}]",
            "element_at({0}, {1})",
            true,
            List.of(listOrMap.expression(), Column.expressionOf(key))));
  }

  public static Column map_keys(Column map) {
    return call("map_keys", map);
  }

  public static Column map_values(Column map) {
    return call("map_values", map);
  }

  /**
   * Reads JSON leniently: malformed text gives a struct of nulls, a member of another type is null,
   * and null or blank text gives null. To treat such records otherwise, declare the schema on the
   * stream and choose what happens with {@code malformed}.
   *
   * @param schema e.g. {@code id STRING, amount DECIMAL(18,2)}, or a type such as {@code
   *     ARRAY<STRUCT<id: STRING>>}
   */
  public static Column from_json(Column text, String schema) {
    String start = schema.strip().toUpperCase(Locale.ROOT);
    boolean isType = start.startsWith("ARRAY<") || start.startsWith("STRUCT<");
    DataType type = isType ? DataType.parse(schema) : DataType.parseColumns(schema);
    return new Column(
        Form.of(
            "from_json({0}, {1})",
            "from_json", text.expression(), new Constant(Sql.text(type.jsonStructure()), schema)));
  }

  /** As above; of Spark's options only {@code mode = PERMISSIVE} is known. */
  public static Column from_json(Column text, String schema, Map<String, String> options) {
    options.forEach(
        (name, value) -> {
          if (!name.equalsIgnoreCase("mode") || !value.equalsIgnoreCase("PERMISSIVE")) {
            throw new TidemillException(
                    ErrorCode.UNSUPPORTED,
                    "from_json knows the option mode = PERMISSIVE only; declare the schema on the"
                        + " stream to refuse, drop or divert malformed records.")
                .with("option", name);
          }
        });
    return from_json(text, schema);
  }

  /** JSON text of a struct, list or map; members that are null are left out. */
  public static Column to_json(Column value) {
    return new Column(
        Form.of(
            "CAST(json_merge_patch('{}', to_json({0})) AS VARCHAR)",
            "to_json", value.expression()));
  }

  /** A part of a JSON text by its path, e.g. {@code $.a.b}, as text. */
  public static Column get_json_object(Column text, String path) {
    return new Column(
        Form.of(
            "TRY(json_extract_string({0}, {1}))",
            "get_json_object", text.expression(), Constant.of(path)));
  }

  static Column aggregate(String name, String column) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "count" -> count(column);
      case "sum" -> sum(column);
      case "avg", "mean" -> avg(column);
      case "min" -> min(column);
      case "max" -> max(column);
      case "first" -> first(column);
      case "last" -> last(column);
      case "collect_list" -> collect_list(column);
      case "collect_set" -> collect_set(column);
      case "approx_count_distinct" -> approx_count_distinct(column);
      case "stddev" -> stddev(col(column));
      default ->
          throw new TidemillException(
                  ErrorCode.UNSUPPORTED,
                  "There is no aggregate function of that name for agg(Map); write the column as in"
                      + " agg(sum(\"v\")).")
              .with("name", name);
    };
  }
}

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Assigns rows to time windows. Spark 4.2: reference 6.3: windows are [start, end), aligned to the
 * epoch plus an offset; rows without a time are dropped; a sliding window copies rows.
 */
final class Windows {
  private static final Set<String> ADDED = Set.of("window_start", "window_end", "window_time");
  private static final String NOT_CONSTANT =
      "A window's size, slide and offset are constant intervals, e.g. INTERVAL 5 MINUTES";

  private final Context context;

  Windows(Context context) {
    this.context = context;
  }

  /** Size, slide and offset in microseconds. */
  record Shape(long size, long slide, long offset) {
    boolean tumbles() {
      return size == slide;
    }
  }

  /** Conditions over windowed rows that do not use the window. */
  static List<JsonNode> below(List<JsonNode> conditions) {
    return conditions.stream()
        .filter(
            c ->
                !Conditions.holds(
                    c,
                    n ->
                        Tree.isColumn(n)
                            && Tree.names(n).get(0).equals(Filters.ROW)
                            && ADDED.contains(Context.lower(Tree.names(n).get(1)))))
        .toList();
  }

  /** TUMBLE(s, ts, size), HOP(s, ts, slide, size) or SESSION(s, ts, gap), the stream left out. */
  Relation byFunction(String name, Relation input, JsonNode call, List<JsonNode> arguments) {
    if (name.equals("session")) {
      throw context.error(
          ErrorCode.UNSUPPORTED,
          call,
          "Session windows are not supported yet; TUMBLE and HOP are.");
    }
    boolean hop = name.equals("hop");
    int wanted = hop ? 3 : 2;
    if (arguments.size() != wanted) {
      throw context.error(
          ErrorCode.JOB_SYNTAX,
          call,
          hop
              ? "HOP takes a stream, a time column, the slide and the size."
              : "TUMBLE takes a stream, a time column and the size.");
    }
    String time = timeColumn(input, arguments.get(0));
    long last = interval(arguments.get(wanted - 1));
    Shape shape = hop ? new Shape(last, interval(arguments.get(1)), 0) : new Shape(last, last, 0);
    check(shape, call);
    return assign(input, time, shape);
  }

  /** The shape of Spark's window(ts, size[, slide[, offset]]), the column left out. */
  Shape shape(JsonNode call, List<JsonNode> arguments) {
    if (arguments.isEmpty() || arguments.size() > 3) {
      throw context.error(
          ErrorCode.JOB_SYNTAX, call, "window takes a time column, a size, a slide and an offset.");
    }
    long size = interval(arguments.get(0));
    long slide = arguments.size() > 1 ? interval(arguments.get(1)) : size;
    long offset = arguments.size() > 2 ? interval(arguments.get(2)) : 0;
    Shape shape = new Shape(size, slide, offset);
    check(shape, call);
    return shape;
  }

  private void check(Shape shape, JsonNode call) {
    if (shape.size() <= 0 || shape.slide() <= 0) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          call,
          "The size and slide of a window must be greater than zero.");
    }
    if (shape.slide() > shape.size()) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          call,
          "The slide of a window must not be greater than its size, or rows between would be lost.");
    }
    if (Math.abs(shape.offset()) >= shape.slide()) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY, call, "The offset of a window must be less than its slide.");
    }
  }

  /** Adds window_start, window_end and window_time. */
  Relation assign(Relation input, String time, Shape shape) {
    List<String> kept =
        input.columns().names().stream()
            .filter(n -> !ADDED.contains(Context.lower(n)))
            .map(n -> "r." + Sql.name(n))
            .toList();
    String size = micros(shape.size());
    String sql =
        "SELECT "
            + String.join(", ", kept)
            + ", r.__tidemill_start AS window_start, r.__tidemill_start + "
            + size
            + " AS window_end, r.__tidemill_start + "
            + micros(shape.size() - 1)
            + " AS window_time FROM ("
            + starts(time, shape)
            + ") AS r";
    List<Column> columns = new ArrayList<>();
    for (Column column : input.columns().columns()) {
      if (!ADDED.contains(Context.lower(column.name()))) {
        columns.add(column);
      }
    }
    for (String name : List.of("window_start", "window_end", "window_time")) {
      columns.add(Column.of(name, "TIMESTAMP"));
    }
    Map<String, String> times = new HashMap<>(input.times());
    ADDED.forEach(times::remove);
    if (input.time(time).isPresent()) {
      times.put("window_start", "{} + " + size);
      times.put("window_end", "{}");
      times.put("window_time", "{}");
    }
    return new Relation(
        context.wrap(input.branches(), sql), new Schema(columns), times, input.hidden());
  }

  /** A SELECT that adds __tidemill_start, one row for each window a row falls in. */
  private static String starts(String time, Shape shape) {
    String column = "s." + Sql.name(time);
    String origin = "TIMESTAMP '1970-01-01' + " + micros(shape.offset());
    String bucket = "time_bucket(" + micros(shape.slide()) + ", " + column + ", " + origin + ")";
    String where = " WHERE " + column + " IS NOT NULL";
    if (shape.tumbles()) {
      return "SELECT s.*, "
          + bucket
          + " AS __tidemill_start FROM "
          + Froms.MARKER
          + " AS s"
          + where;
    }
    long copies = (shape.size() + shape.slide() - 1) / shape.slide();
    return "SELECT * FROM (SELECT s.*, "
        + bucket
        + " - h.i * "
        + micros(shape.slide())
        + " AS __tidemill_start, "
        + column
        + " AS __tidemill_time FROM "
        + Froms.MARKER
        + " AS s CROSS JOIN range("
        + copies
        + ") AS h(i)"
        + where
        + ") WHERE __tidemill_start + "
        + micros(shape.size())
        + " > __tidemill_time";
  }

  private static String micros(long micros) {
    return "INTERVAL '" + micros + " microseconds'";
  }

  private String timeColumn(Relation input, JsonNode argument) {
    if (!Tree.isColumn(argument)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          argument,
          "A window needs the name of a time column; compute it in a subquery or view before.");
    }
    List<String> names = Tree.names(argument);
    return checkTime(input, names.get(names.size() - 1), argument);
  }

  /** The column's name as declared, if it is a TIMESTAMP. */
  String checkTime(Relation input, String name, JsonNode node) {
    Column column = input.columns().columns().get(context.column(input, name, node));
    if (!column.type().toUpperCase(Locale.ROOT).equals("TIMESTAMP")) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          node,
          "A window needs a TIMESTAMP column; "
              + column.name()
              + " is "
              + column.type()
              + ". Cast it in a subquery or view before.");
    }
    return column.name();
  }

  /** A constant interval in microseconds; months and years are an error. */
  private long interval(JsonNode argument) {
    if (!EventTimes.isConstant(context.sql, argument)) {
      throw context.error(ErrorCode.ILLEGAL_QUERY, argument, NOT_CONSTANT + ".");
    }
    String text = context.sql.text(argument);
    try {
      String i = "CAST(" + text + " AS INTERVAL)";
      String months =
          context.sql.scalar(
              "SELECT datepart('year', " + i + ") * 12 + datepart('month', " + i + ")");
      if (months == null) {
        throw context.error(ErrorCode.ILLEGAL_QUERY, argument, "A window's interval is NULL.");
      }
      if (!months.equals("0")) {
        throw context.error(
            ErrorCode.ILLEGAL_QUERY,
            argument,
            "A window cannot be measured in months or years, since they differ in length; use days.");
      }
      return Long.parseLong(
          context.sql.scalar(
              "SELECT epoch_us(TIMESTAMP '2001-01-01' + "
                  + i
                  + ") - epoch_us(TIMESTAMP '2001-01-01')"));
    } catch (SqlMistake e) {
      throw context.error(ErrorCode.ILLEGAL_QUERY, argument, NOT_CONSTANT + ": " + e.getMessage());
    }
  }
}

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Spark's {@code window(ts, size[, slide[, offset]])} and {@code window_time(window)}. Both also
 * take a window that a query below made: its time is its last microsecond.
 */
final class SparkWindows {
  static final Set<String> FUNCTIONS = Set.of("window", "session_window", "window_time");

  /** Column that carries the window of a row. */
  private static final String COLUMN = OwnNames.PREFIX + "window";

  /** Column that carries the time of a window made below. */
  private static final String TIME = OwnNames.PREFIX + "window_time";

  private static final String TYPE = "STRUCT(\"start\" TIMESTAMP, \"end\" TIMESTAMP)";

  private final Context context;

  SparkWindows(Context context) {
    this.context = context;
  }

  /** A query whose window calls have become references to a column of its FROM. */
  record Rewritten(Select query, Froms.Resolved from) {}

  /** Gives a copy of the query; without window calls nothing else changes. */
  Rewritten rewrite(Select query, Froms.Resolved from) {
    List<JsonNode> calls = new ArrayList<>();
    query.walkOwn(n -> addCall(n, calls));
    if (calls.isEmpty()) {
      return timesOfWindows(query, from);
    }
    JsonNode call = calls.get(0);
    for (JsonNode other : calls) {
      if (!Tree.same(call, other)) {
        throw context.error(
            ErrorCode.ILLEGAL_QUERY, other, "A query has one time window; name it once.");
      }
    }
    List<JsonNode> arguments = Tree.arguments(call);
    if (!Tree.isColumn(arguments.get(0))) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          call,
          "window needs the name of a time column; compute it in a subquery or view before.");
    }
    Windows windows = new Windows(context);
    Windows.Shape shape = windows.shape(call, arguments.subList(1, arguments.size()));
    Relation input = from.leaf();
    String time = lastName(arguments.get(0));
    if (isWindow(input, time)) {
      input = withTime(input, time);
      time = TIME;
    }
    Relation leaf = withWindow(windows, input, time, arguments.get(0), shape);
    Select rewritten = query.replaceOwn(n -> reference(n, call));
    return new Rewritten(rewritten, new Froms.Resolved(from.from(), leaf, from.alias()));
  }

  /** A query that asks for the times of windows made below. */
  private Rewritten timesOfWindows(Select query, Froms.Resolved from) {
    List<String> asked = new ArrayList<>();
    Select rewritten =
        query.replaceOwn(
            n -> {
              if (!isWindowTime(n) || !Tree.isColumn(Tree.arguments(n).get(0))) {
                return Optional.empty();
              }
              asked.add(lastName(Tree.arguments(n).get(0)));
              return Optional.of(Tree.aliased(Tree.column(TIME), aliasOr(n, "window_time")));
            });
    if (asked.isEmpty()) {
      return new Rewritten(query.copy(), from);
    }
    String window = asked.get(0);
    if (!isWindow(from.leaf(), window) || !asked.stream().allMatch(window::equalsIgnoreCase)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          null,
          "window_time takes one window, made with window(…) in this query or in one below.");
    }
    Relation leaf = withTime(from.leaf(), window);
    return new Rewritten(rewritten, new Froms.Resolved(from.from(), leaf, from.alias()));
  }

  private static boolean isWindowTime(JsonNode node) {
    return Tree.isFunction(node)
        && Tree.function(node).equals("window_time")
        && Tree.arguments(node).size() == 1;
  }

  private static String lastName(JsonNode column) {
    List<String> names = Tree.names(column);
    return names.get(names.size() - 1);
  }

  private static boolean isWindow(Relation relation, String column) {
    return relation.columns().find(column).filter(c -> c.type().equals(TYPE)).isPresent();
  }

  /** The relation with the time of a window among its columns. */
  private Relation withTime(Relation input, String window) {
    List<Column> columns = new ArrayList<>(input.columns().columns());
    columns.add(Column.of(TIME, "TIMESTAMP"));
    Map<String, String> times = new HashMap<>(input.times());
    if (input.time(window).isPresent()) {
      times.put(TIME, "{}");
    }
    String time = "struct_extract(r." + Sql.name(window) + ", 'end') - to_microseconds(1)";
    return new Relation(
        context.wrap(
            input.branches(),
            "SELECT r.*, " + time + " AS " + TIME + " FROM " + Froms.MARKER + " AS r"),
        new Schema(columns),
        times,
        input.hidden());
  }

  private void addCall(JsonNode node, List<JsonNode> calls) {
    if (!Tree.isFunction(node)) {
      return;
    }
    if (Tree.function(node).equals("session_window")) {
      throw context.error(
          ErrorCode.UNSUPPORTED, node, "Session windows are not supported yet; window is.");
    }
    if (Tree.function(node).equals("window") && !Tree.arguments(node).isEmpty()) {
      calls.add(node);
    }
  }

  private static Optional<JsonNode> reference(JsonNode node, JsonNode call) {
    if (Tree.isFunction(node) && Tree.same(node, call)) {
      String alias = Tree.alias(node).isEmpty() ? "window" : Tree.alias(node);
      return Optional.of(Tree.aliased(Tree.column(COLUMN), alias));
    }
    if (Tree.isFunction(node) && Tree.function(node).equals("window_time")) {
      JsonNode end = Tree.call("struct_extract", Tree.column(COLUMN), Tree.text("end"));
      JsonNode time = Tree.call("-", end, Tree.call("to_microseconds", Tree.whole(1)));
      String alias = Tree.alias(node).isEmpty() ? "window_time" : Tree.alias(node);
      return Optional.of(Tree.aliased(time, alias));
    }
    if (Tree.isColumn(node)) {
      List<String> names = Tree.names(node);
      boolean window = names.get(0).equalsIgnoreCase("window");
      if (window && names.size() == 1) {
        return Optional.of(Tree.aliased(Tree.column(COLUMN), aliasOr(node, "window")));
      }
      if (window && names.size() == 2) {
        JsonNode part =
            Tree.call(
                "struct_extract", Tree.column(COLUMN), Tree.text(Context.lower(names.get(1))));
        return Optional.of(Tree.aliased(part, aliasOr(node, names.get(1))));
      }
    }
    return Optional.empty();
  }

  private static String aliasOr(JsonNode node, String otherwise) {
    return Tree.alias(node).isEmpty() ? otherwise : Tree.alias(node);
  }

  private Relation withWindow(
      Windows windows, Relation leaf, String time, JsonNode place, Windows.Shape shape) {
    String column = windows.checkTime(leaf, time, place);
    Relation assigned = windows.assign(leaf, column, shape);
    List<String> items = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (Column c : leaf.columns().columns()) {
      items.add("r." + Sql.name(c.name()));
      columns.add(c);
    }
    items.add("{'start': r.window_start, 'end': r.window_end} AS " + COLUMN);
    columns.add(Column.of(COLUMN, TYPE));
    Map<String, String> times = new HashMap<>(leaf.times());
    if (leaf.time(column).isPresent()) {
      times.put(COLUMN, "({}).\"end\"");
    }
    return new Relation(
        context.wrap(
            assigned.branches(),
            "SELECT " + String.join(", ", items) + " FROM " + Froms.MARKER + " AS r"),
        new Schema(columns),
        times,
        leaf.hidden());
  }
}

package io.tidemill.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads and builds the JSON form of DuckDB's parse tree. The form is the library's and changes
 * between versions, so only this package names its keys.
 */
public final class Tree {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Set<String> PLACE = Set.of("query_location", "query_location_length");

  private static final Set<String> TEXT_TYPES = Set.of("VARCHAR", "STRING", "TEXT");

  private Tree() {}

  public static String type(JsonNode node) {
    return node.path("type").asText();
  }

  static String kind(JsonNode node) {
    return node.path("class").asText();
  }

  public static boolean isExpression(JsonNode node) {
    return node.isObject() && node.has("class");
  }

  public static boolean isColumn(JsonNode node) {
    return kind(node).equals("COLUMN_REF");
  }

  public static boolean isFunction(JsonNode node) {
    return kind(node).equals("FUNCTION");
  }

  /** What is cast to a text, if the expression is such a cast. */
  public static Optional<JsonNode> castToText(JsonNode node) {
    String type = node.path("type_expr").path("type_name").asText().toUpperCase(Locale.ROOT);
    boolean toText = TEXT_TYPES.contains(type) && !node.path("try_cast").asBoolean();
    return kind(node).equals("CAST") && toText ? Optional.of(node.path("child")) : Optional.empty();
  }

  public static boolean isStar(JsonNode node) {
    return kind(node).equals("STAR");
  }

  /** A star that leaves out columns at most. */
  public static boolean isPlainStar(JsonNode node) {
    return isStar(node)
        && !node.path("columns").asBoolean()
        && node.path("expr").isNull()
        && node.path("replace_list").isEmpty()
        && node.path("rename_list").isEmpty()
        && node.path("qualified_exclude_list").isEmpty();
  }

  /** The table whose columns a star means; empty for all tables. */
  public static String starTable(JsonNode star) {
    return star.path("relation_name").asText();
  }

  /** New names of a star's columns by lower-case name; null for those it replaces. */
  public static java.util.Map<String, String> starChanges(JsonNode star) {
    java.util.Map<String, String> changes = new java.util.HashMap<>();
    star.path("rename_list")
        .forEach(
            r ->
                changes.put(
                    r.path("key").path("column").asText().toLowerCase(Locale.ROOT),
                    r.path("value").asText()));
    star.path("replace_list")
        .forEach(r -> changes.put(r.path("key").asText().toLowerCase(Locale.ROOT), null));
    return changes;
  }

  /** Whether a star leaves a column out. */
  public static boolean excludes(JsonNode star, String column) {
    for (JsonNode excluded : star.path("exclude_list")) {
      if (excluded.asText().equalsIgnoreCase(column)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a SELECT or a table of it takes a sample of rows. */
  public static boolean isSampled(JsonNode node) {
    return node.path("sample").isObject();
  }

  public static boolean isUnnest(JsonNode node) {
    return isFunction(node) && Set.of("unnest", "unlist").contains(function(node));
  }

  public static boolean isSubquery(JsonNode node) {
    return kind(node).equals("SUBQUERY");
  }

  public static boolean isLambda(JsonNode node) {
    return kind(node).equals("LAMBDA");
  }

  /** Lower-case names of a lambda's parameters. */
  public static Set<String> parameters(JsonNode lambda) {
    Set<String> names = new java.util.TreeSet<>();
    walk(
        lambda.path("lhs"),
        n -> {
          if (isColumn(n)) {
            names.add(names(n).get(0).toLowerCase(Locale.ROOT));
          }
        });
    return names;
  }

  public static boolean isAnalyticWindow(JsonNode node) {
    return kind(node).equals("WINDOW");
  }

  public static boolean isGrouping(JsonNode node) {
    return type(node).equals("GROUPING_FUNCTION");
  }

  /** The place of a node in the parsed text, or -1. */
  public static long place(JsonNode node) {
    JsonNode place = node.path("query_location");
    return place.isIntegralNumber() && place.canConvertToLong() ? place.asLong() : -1;
  }

  public static long length(JsonNode node) {
    return node.path("query_location_length").asLong(1);
  }

  /** Parts of a column reference, e.g. {@code [e, k]}. */
  public static List<String> names(JsonNode column) {
    List<String> names = new ArrayList<>();
    column.path("column_names").forEach(n -> names.add(n.asText()));
    return names;
  }

  /** Lower-case function name. */
  public static String function(JsonNode node) {
    return node.path("function_name").asText().toLowerCase(Locale.ROOT);
  }

  /** Argument expressions of a function. */
  public static List<JsonNode> arguments(JsonNode function) {
    List<JsonNode> arguments = new ArrayList<>();
    function.path("arguments").forEach(a -> arguments.add(a.path("expression")));
    return arguments;
  }

  public static void setArguments(ObjectNode function, List<JsonNode> arguments) {
    ArrayNode list = NODES.arrayNode();
    for (JsonNode argument : arguments) {
      list.addObject().put("name", "").set("expression", argument);
    }
    function.set("arguments", list);
  }

  public static ObjectNode column(String... names) {
    ObjectNode node = expression("COLUMN_REF", "COLUMN_REF");
    ArrayNode list = node.putArray("column_names");
    for (String name : names) {
      list.add(name);
    }
    return node;
  }

  /** The FROM clause of a query without one. */
  static ObjectNode noTable() {
    return NODES.objectNode().put("type", "EMPTY").put("alias", "").putNull("sample");
  }

  /** All columns, of one table if it is named. */
  public static ObjectNode star(String table) {
    ObjectNode node = expression("STAR", "STAR");
    node.put("relation_name", table);
    node.putArray("exclude_list");
    node.putArray("replace_list");
    node.put("columns", false).putNull("expr");
    node.putArray("qualified_exclude_list");
    node.putArray("rename_list");
    return node;
  }

  public static ObjectNode text(String text) {
    ObjectNode node = expression("CONSTANT", "VALUE_CONSTANT");
    node.putObject("literal").put("kind", "STRING").put("text", text);
    return node;
  }

  public static ObjectNode whole(long number) {
    ObjectNode node = expression("CONSTANT", "VALUE_CONSTANT");
    node.putObject("literal").put("kind", "INTEGER").put("text", Long.toString(number));
    return node;
  }

  public static ObjectNode call(String name, JsonNode... arguments) {
    ObjectNode node = expression("FUNCTION", "FUNCTION");
    node.put("function_name", name).put("schema", "").put("catalog", "");
    node.putNull("filter");
    node.putObject("order_bys").put("type", "ORDER_MODIFIER").putArray("orders");
    node.put("distinct", false).put("is_operator", false).put("export_state", false);
    setArguments(node, List.of(arguments));
    node.putObject("qualified_name").putArray("path").add(name);
    return node;
  }

  static ObjectNode expression(String kind, String type) {
    return NODES.objectNode().put("class", kind).put("type", type).put("alias", "");
  }

  public static String alias(JsonNode node) {
    return node.path("alias").asText();
  }

  public static ObjectNode aliased(JsonNode node, String alias) {
    ObjectNode copy = node.deepCopy();
    copy.put("alias", alias);
    return copy;
  }

  /** The whole number a constant holds, if it is one. */
  public static Optional<Long> number(JsonNode node) {
    JsonNode literal = node.path("literal");
    return kind(node).equals("CONSTANT") && literal.path("kind").asText().equals("INTEGER")
        ? Optional.of(literal.path("text").asLong())
        : Optional.empty();
  }

  /** The text a constant holds, if it is one. */
  public static Optional<String> constantText(JsonNode node) {
    JsonNode literal = node.path("literal");
    return kind(node).equals("CONSTANT") && literal.path("kind").asText().equals("STRING")
        ? Optional.of(literal.path("text").asText())
        : Optional.empty();
  }

  public static boolean isConstant(JsonNode node) {
    return kind(node).equals("CONSTANT");
  }

  /** True if the expression names no column, calls no aggregate and holds no subquery. */
  public static boolean isFree(JsonNode node) {
    boolean[] free = {true};
    walk(node, n -> free[0] &= !isColumn(n) && !isSubquery(n) && !isStar(n));
    return free[0];
  }

  /** Visits the node and all nodes below it. */
  public static void walk(JsonNode node, Consumer<JsonNode> visit) {
    visit.accept(node);
    node.forEach(child -> walk(child, visit));
  }

  /** Visits expressions, without entering subqueries. */
  public static void walkExpression(JsonNode node, Consumer<JsonNode> visit) {
    visit.accept(node);
    if (isSubquery(node)) {
      walkExpression(node.path("child"), visit);
      return;
    }
    node.forEach(child -> walkExpression(child, visit));
  }

  /** A copy in which each topmost node the function answers is replaced by the answer. */
  public static JsonNode replace(JsonNode node, Function<JsonNode, Optional<JsonNode>> change) {
    Optional<JsonNode> changed = change.apply(node);
    if (changed.isPresent()) {
      return changed.get();
    }
    if (node.isObject()) {
      ObjectNode copy = NODES.objectNode();
      node.fields().forEachRemaining(f -> copy.set(f.getKey(), replace(f.getValue(), change)));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = NODES.arrayNode();
      node.forEach(child -> copy.add(replace(child, change)));
      return copy;
    }
    return node;
  }

  /**
   * Whether two expressions say the same: places and aliases do not count, column names compare
   * without case, and a qualifier counts only if both have one.
   */
  public static boolean same(JsonNode a, JsonNode b) {
    if (isColumn(a) && isColumn(b)) {
      List<String> x = names(a);
      List<String> y = names(b);
      int shared = Math.min(x.size(), y.size());
      for (int i = 1; i <= shared; i++) {
        if (!x.get(x.size() - i).equalsIgnoreCase(y.get(y.size() - i))) {
          return false;
        }
      }
      return true;
    }
    if (a.isObject() && b.isObject()) {
      Set<String> keys = new java.util.TreeSet<>();
      a.fieldNames().forEachRemaining(keys::add);
      b.fieldNames().forEachRemaining(keys::add);
      keys.removeAll(PLACE);
      keys.remove("alias");
      return keys.stream().allMatch(k -> same(a.path(k), b.path(k)));
    }
    if (a.isArray() && b.isArray()) {
      if (a.size() != b.size()) {
        return false;
      }
      for (int i = 0; i < a.size(); i++) {
        if (!same(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return a.equals(b);
  }
}

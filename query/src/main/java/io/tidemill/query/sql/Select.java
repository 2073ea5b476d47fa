package io.tidemill.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A query node of the parse tree: a SELECT or a set operation. A view, not a copy. */
public record Select(ObjectNode node) {
  private static final Set<String> BELOW = Set.of("from_table", "cte_map");

  public static Select of(JsonNode node) {
    return new Select((ObjectNode) node);
  }

  public Select copy() {
    return new Select(node.deepCopy());
  }

  public boolean isPlain() {
    return Tree.type(node).equals("SELECT_NODE");
  }

  /** UNION, EXCEPT or INTERSECT; empty for a plain SELECT or anything else. */
  public Optional<String> setOperation() {
    return Tree.type(node).equals("SET_OPERATION_NODE")
        ? Optional.of(node.path("setop_type").asText())
        : Optional.empty();
  }

  public boolean setAll() {
    return node.path("setop_all").asBoolean();
  }

  public List<Select> children() {
    List<Select> children = new ArrayList<>();
    node.path("children").forEach(c -> children.add(of(c)));
    return children;
  }

  /** This set operation as a UNION by position of other queries. */
  public Select withUnionOf(List<Select> sides) {
    Select union = copy();
    union.node.put("setop_type", "UNION");
    ArrayNode children = union.node.putArray("children");
    sides.forEach(s -> children.add(s.node()));
    return union;
  }

  public Map<String, JsonNode> commonTables() {
    Map<String, JsonNode> tables = new LinkedHashMap<>();
    node.path("cte_map")
        .path("map")
        .forEach(e -> tables.put(e.path("key").asText(), e.get("value")));
    return tables;
  }

  public void setCommonTables(Map<String, JsonNode> tables) {
    ArrayNode map = node.putObject("cte_map").putArray("map");
    tables.forEach((name, value) -> map.addObject().put("key", name).set("value", value));
  }

  /** The query inside a common table's entry. */
  public static Select ofCommonTable(JsonNode entry) {
    return of(entry.path("query_node"));
  }

  /** The query inside a subquery expression. */
  public static Select ofExpression(JsonNode subquery) {
    return of(subquery.path("subquery").path("node"));
  }

  public JsonNode from() {
    return node.path("from_table");
  }

  public void setFrom(JsonNode from) {
    node.set("from_table", from);
  }

  /** A copy without FROM and common tables: the expressions of this SELECT alone. */
  public Select withoutTables() {
    Select copy = copy();
    copy.setFrom(Tree.noTable());
    copy.setCommonTables(Map.of());
    return copy;
  }

  public List<JsonNode> selectList() {
    return list("select_list");
  }

  public void setSelectList(List<? extends JsonNode> items) {
    node.putArray("select_list").addAll(items);
  }

  public List<JsonNode> groups() {
    return list("group_expressions");
  }

  /** Indexes into {@link #groups}; one set for a plain GROUP BY, none without. */
  public List<List<Integer>> groupSets() {
    List<List<Integer>> sets = new ArrayList<>();
    node.path("group_sets")
        .forEach(
            s -> {
              List<Integer> set = new ArrayList<>();
              s.forEach(i -> set.add(i.asInt()));
              sets.add(set);
            });
    return sets;
  }

  public boolean groupByAll() {
    return node.path("aggregate_handling").asText().equals("FORCE_AGGREGATES");
  }

  public Optional<JsonNode> where() {
    return optional("where_clause");
  }

  public Optional<JsonNode> having() {
    return optional("having");
  }

  public Optional<JsonNode> qualify() {
    return optional("qualify");
  }

  public Optional<JsonNode> modifier(String type) {
    for (JsonNode modifier : node.path("modifiers")) {
      if (Tree.type(modifier).equals(type)) {
        return Optional.of(modifier);
      }
    }
    return Optional.empty();
  }

  public Optional<JsonNode> distinct() {
    return modifier("DISTINCT_MODIFIER");
  }

  public Optional<JsonNode> order() {
    return modifier("ORDER_MODIFIER");
  }

  public Optional<JsonNode> limit() {
    return modifier("LIMIT_MODIFIER").or(() -> modifier("LIMIT_PERCENT_MODIFIER"));
  }

  public void clearModifiers() {
    node.putArray("modifiers");
  }

  /** Takes grouping, having and everything that goes with it away. */
  public void clearGrouping() {
    node.putArray("group_expressions");
    node.putArray("group_sets");
    node.put("aggregate_handling", "STANDARD_HANDLING");
    node.putNull("having");
  }

  public void setWhere(JsonNode condition) {
    node.set("where_clause", condition);
  }

  /** Visits this node's own expressions: not those of its FROM, common tables and subqueries. */
  public void walkOwn(Consumer<JsonNode> visit) {
    node.fields()
        .forEachRemaining(
            f -> {
              if (!BELOW.contains(f.getKey())) {
                Tree.walkExpression(f.getValue(), visit);
              }
            });
  }

  /** A copy with this node's own expressions replaced, as {@link #walkOwn} visits them. */
  public Select replaceOwn(Function<JsonNode, Optional<JsonNode>> change) {
    ObjectNode copy = node.deepCopy();
    node.fields()
        .forEachRemaining(
            f -> {
              if (!BELOW.contains(f.getKey())) {
                copy.set(f.getKey(), Tree.replace(f.getValue(), change));
              }
            });
    return of(copy);
  }

  /** Replaces expressions everywhere in this node. */
  public Select replace(Function<JsonNode, Optional<JsonNode>> change) {
    return of(Tree.replace(node, change));
  }

  private List<JsonNode> list(String key) {
    List<JsonNode> items = new ArrayList<>();
    node.path(key).forEach(items::add);
    return items;
  }

  private Optional<JsonNode> optional(String key) {
    JsonNode found = node.path(key);
    return found.isNull() || found.isMissingNode() ? Optional.empty() : Optional.of(found);
  }
}

package io.tidemill.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node of a FROM clause in the parse tree. */
public record TableRef(JsonNode node) {

  public boolean isTable() {
    return Tree.type(node).equals("BASE_TABLE");
  }

  public boolean isFunction() {
    return Tree.type(node).equals("TABLE_FUNCTION");
  }

  public boolean isSubquery() {
    return Tree.type(node).equals("SUBQUERY");
  }

  /** True where a query has no FROM. */
  public boolean isEmpty() {
    return Tree.type(node).equals("EMPTY");
  }

  public boolean isJoin() {
    return Tree.type(node).equals("JOIN");
  }

  public String table() {
    return node.path("table_name").asText();
  }

  /** True for a name with a schema or catalog before it. */
  public boolean isQualified() {
    return !node.path("schema_name").asText().isEmpty()
        || !node.path("catalog_name").asText().isEmpty();
  }

  public JsonNode function() {
    return node.path("function");
  }

  public Select subquery() {
    return Select.of(node.path("subquery").path("node"));
  }

  public void setSubquery(Select query) {
    ((ObjectNode) node.path("subquery")).set("node", query.node());
  }

  public TableRef left() {
    return new TableRef(node.path("left"));
  }

  public TableRef right() {
    return new TableRef(node.path("right"));
  }

  /** INNER, LEFT, RIGHT, OUTER, SEMI, ANTI or another of DuckDB's words. */
  public String joinType() {
    return node.path("join_type").asText();
  }

  /** False for joins by position or nearness, whose rows depend on each other. */
  public boolean pairsByCondition() {
    String kind = node.path("ref_type").asText();
    return kind.equals("REGULAR") || kind.equals("CROSS") || isNatural();
  }

  public boolean isNatural() {
    return node.path("ref_type").asText().equals("NATURAL");
  }

  public List<String> usingColumns() {
    List<String> names = new ArrayList<>();
    node.path("using_columns").forEach(n -> names.add(n.asText()));
    return names;
  }

  public Optional<JsonNode> condition() {
    JsonNode condition = node.path("condition");
    return condition.isObject() ? Optional.of(condition) : Optional.empty();
  }

  public String alias() {
    return Tree.alias(node);
  }

  /** What DuckDB calls the table where it has no other name. */
  public String boundName() {
    String name =
        isSubquery() ? "unnamed_subquery" : isTable() ? table() : Tree.function(function());
    return alias().isEmpty() ? name : alias();
  }

  public List<String> columnAliases() {
    List<String> names = new ArrayList<>();
    node.path("column_name_alias").forEach(n -> names.add(n.asText()));
    return names;
  }

  /** A plain table name with an alias. */
  public static ObjectNode table(String name, String alias, List<String> columnAliases) {
    ObjectNode table = JsonNodeFactory.instance.objectNode();
    table.put("type", "BASE_TABLE").put("alias", alias).putNull("sample");
    table.put("schema_name", "").put("table_name", name);
    columnAliases.forEach(table.putArray("column_name_alias")::add);
    table.put("catalog_name", "").putNull("at_clause");
    table.putObject("qualified_name").putArray("path").add(name);
    return table;
  }
}

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses what a job was not given: tables and table functions other than its own, settings,
 * variables, and functions that look outside the rows. DuckDB's own locks stand behind this.
 */
final class Sandbox {
  /** Table functions that read nothing but their arguments. */
  private static final Set<String> TABLE_FUNCTIONS =
      Set.of("unnest", "range", "generate_series", "json_each", "json_tree");

  /** Functions that read settings, variables, files or the catalog. */
  private static final Set<String> FORBIDDEN =
      Set.of(
          "current_setting",
          "getvariable",
          "getenv",
          "nextval",
          "currval",
          "current_query",
          "current_database",
          "current_catalog",
          "current_schema",
          "current_schemas",
          "in_search_path",
          "txid_current",
          "current_connection_id",
          "current_query_id",
          "current_transaction_id",
          "write_log",
          "sleep_ms",
          "version",
          "to_aggregate_state",
          "query",
          "query_table");

  private final Context context;
  private final Froms froms;

  Sandbox(Context context, Froms froms) {
    this.context = context;
    this.froms = froms;
  }

  void check(JsonNode node, Scope scope) {
    Scope inner = scope;
    if (node.has("cte_map")) {
      java.util.Map<String, JsonNode> tables = Select.of(node).commonTables();
      Scope before = scope;
      for (java.util.Map.Entry<String, JsonNode> table : tables.entrySet()) {
        check(table.getValue(), before);
        before = before.with(java.util.Map.of(table.getKey(), table.getValue()));
      }
      inner = before;
    }
    if (Tree.isSampled(node)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          node,
          "A job cannot sample rows, since a replay has to give the same; filter them instead, e.g."
              + " WHERE hash(key) % 10 = 0.");
    }
    checkTable(node, inner);
    if (Tree.isFunction(node)
        && (FORBIDDEN.contains(Tree.function(node)) || Tree.function(node).startsWith("pg_"))) {
      throw context.error(
          ErrorCode.FORBIDDEN,
          node,
          "The function "
              + Tree.function(node)
              + " looks outside the query's rows and is not"
              + " available in a job.");
    }
    java.util.Iterator<java.util.Map.Entry<String, JsonNode>> fields = node.fields();
    while (fields.hasNext()) {
      java.util.Map.Entry<String, JsonNode> field = fields.next();
      if (!field.getKey().equals("cte_map")) {
        checkChild(node, field.getKey(), field.getValue(), inner);
      }
    }
    if (node.isArray()) {
      for (JsonNode child : node) {
        check(child, inner);
      }
    }
  }

  private void checkChild(JsonNode node, String key, JsonNode child, Scope scope) {
    boolean tableFunction = Tree.type(node).equals("TABLE_FUNCTION") && key.equals("function");
    if (tableFunction) {
      Tree.arguments(child).forEach(a -> check(a, scope));
    } else {
      check(child, scope);
    }
  }

  private void checkTable(JsonNode node, Scope scope) {
    String type = Tree.type(node);
    if (type.equals("BASE_TABLE")) {
      TableRef table = new TableRef(node);
      boolean known =
          scope.find(table.table()).isPresent()
              || context.catalog.streams.containsKey(table.table())
              || context.catalog.tables.containsKey(table.table());
      if (table.isQualified() || !known) {
        throw froms.unknown(table.table(), node, scope);
      }
    } else if (type.equals("TABLE_FUNCTION")) {
      checkTableFunction(new TableRef(node).function(), node, scope);
    } else if (type.equals("SHOW_REF") || type.equals("PIVOT") || type.equals("COLUMN_DATA")) {
      throw context.error(
          ErrorCode.FORBIDDEN, node, "This kind of table is not available in a job.");
    }
  }

  private void checkTableFunction(JsonNode function, JsonNode node, Scope scope) {
    String name = Tree.function(function);
    if (Froms.isStreamFunction(name)) {
      checkStreamArgument(function, node, scope);
      return;
    }
    if (!TABLE_FUNCTIONS.contains(name)) {
      Set<String> known = new TreeSet<>(TABLE_FUNCTIONS);
      known.addAll(Froms.streamFunctions());
      throw context.error(
          ErrorCode.FORBIDDEN,
          node,
          "There is no table function '" + name + "' in a job." + Nearest.hint(name, known));
    }
  }

  private void checkStreamArgument(JsonNode function, JsonNode node, Scope scope) {
    String name = Tree.function(function);
    if (Tree.arguments(function).isEmpty()) {
      throw context.error(
          ErrorCode.JOB_SYNTAX, node, name + " needs a stream as its first argument.");
    }
    JsonNode first = Tree.arguments(function).get(0);
    if (Tree.isColumn(first) && Tree.names(first).size() == 1) {
      String table = Tree.names(first).get(0);
      boolean known =
          scope.find(table).isPresent()
              || context.catalog.streams.containsKey(table)
              || context.catalog.tables.containsKey(table);
      if (!known) {
        throw froms.unknown(table, first, scope);
      }
      if (!froms.streams(function, scope)) {
        throw context.error(
            ErrorCode.ILLEGAL_QUERY, first, name + " works on a stream; " + table + " is static.");
      }
    } else if (Tree.isFunction(first) && Froms.isStreamFunction(Tree.function(first))) {
      checkStreamArgument(first, node, scope);
    } else {
      throw context.error(
          ErrorCode.JOB_SYNTAX,
          first,
          "The first argument of " + name + " is the name of a stream, view or common table.");
    }
  }
}

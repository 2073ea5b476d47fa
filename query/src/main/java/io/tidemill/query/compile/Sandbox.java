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

  /** Functions that DuckDB takes for pure, but that read settings, files or the catalog. */
  private static final Set<String> FORBIDDEN =
      Set.of(
          "getenv",
          "current_catalog",
          "get_block_size",
          "index_key",
          "json_serialize_plan",
          "parse_duckdb_log_message",
          "query",
          "query_table",
          "to_aggregate_state",
          "version");

  /** Functions that are not pure, but that a replay repeats. */
  private static final Set<String> REPEATABLE = Set.of("random", "error");

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
        Scope after = before.with(java.util.Map.of(table.getKey(), table.getValue()));
        boolean namesItself =
            Tree.type(Select.ofCommonTable(table.getValue()).node()).equals("RECURSIVE_CTE_NODE");
        check(table.getValue(), namesItself ? after : before);
        before = after;
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
    if (Tree.isFunction(node) && isForbidden(node)) {
      throw context.error(
          ErrorCode.FORBIDDEN,
          node,
          "The function "
              + Tree.function(node)
              + " looks outside the query's rows, or changes what is there, and is not available in"
              + " a job.");
    }
    if (node.path("export_state").asBoolean()) {
      throw context.error(
          ErrorCode.FORBIDDEN,
          node,
          "EXPORT_STATE is not available in a job; states are kept anyway.");
    }
    if (Tree.type(node).endsWith("_QUERY_NODE")) {
      throw context.error(
          ErrorCode.FORBIDDEN, node, "A job changes no tables; only a SELECT can stand here.");
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

  private boolean isForbidden(JsonNode call) {
    String name = Tree.function(call);
    boolean own = name.startsWith("pg_") || name.startsWith("__");
    boolean outside =
        context.sql.looksOutside(name) && !REPEATABLE.contains(name) && !Pinned.isClockCall(call);
    return own || outside || FORBIDDEN.contains(name);
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
      if (!known) {
        throw froms.unknown(table.table(), node, scope);
      }
      if (table.isQualified()) {
        throw context.error(
            ErrorCode.UNKNOWN_NAME,
            node,
            "Streams, tables and views of a job are in no database and schema; write just "
                + table.table()
                + ".");
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
          "There is no table function '"
              + name
              + "' in a job; files are read through CREATE STREAM and CREATE TABLE."
              + Nearest.hint(name, known));
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

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Columns of pieces of a query as written, before they are compiled: DuckDB binds them with streams
 * as empty tables, and windows and deduplications as plain columns.
 */
final class Shapes {
  private static final String WINDOW = "{'start': NULL::TIMESTAMP, 'end': NULL::TIMESTAMP}";

  private final Context context;

  Shapes(Context context) {
    this.context = context;
  }

  /** Makes the job's streams and tables known to the checker. */
  void createTables() {
    try {
      for (Catalog.StreamEntry stream : context.catalog.streams.values()) {
        context.sql.createTable(stream.name(), columns(stream));
      }
      for (Catalog.TableEntry table : context.catalog.tables.values()) {
        context.sql.createTable(table.name(), table.columns());
      }
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "Checked columns have no valid types.", e);
    }
  }

  /** Columns of a stream, hidden ones included. */
  static Schema columns(Catalog.StreamEntry stream) {
    List<Column> columns = new ArrayList<>(stream.visible().columns());
    columns.addAll(stream.hidden().columns());
    return new Schema(columns);
  }

  /** Output columns of a query, or the mistake DuckDB finds in it. */
  Schema describe(Select query, Scope scope) throws SqlMistake {
    Select whole = query.copy();
    Map<String, JsonNode> tables = new LinkedHashMap<>();
    scope.all().values().forEach(n -> tables.put(n.name(), n.entry()));
    tables.putAll(query.commonTables());
    whole.setCommonTables(tables);
    Tree.walk(whole.node(), this::fillWindowNames);
    return context.sql.describe(context.sql.text(whole.replace(this::plain)));
  }

  /** Puts a window in the place of the name {@code window} in a SELECT that calls window(…). */
  private void fillWindowNames(JsonNode node) {
    if (!Tree.type(node).equals("SELECT_NODE")) {
      return;
    }
    boolean[] calls = {false};
    Select.of(node).walkOwn(n -> calls[0] |= isWindowCall(n));
    if (calls[0]) {
      Select filled = Select.of(node).replaceOwn(n -> isWindowCall(n) ? Optional.of(n) : named(n));
      ((ObjectNode) node).setAll(filled.node());
    }
  }

  private static boolean isWindowCall(JsonNode node) {
    return Tree.isFunction(node)
        && Tree.function(node).equals("window")
        && !Tree.arguments(node).isEmpty();
  }

  private Optional<JsonNode> named(JsonNode node) {
    boolean window =
        Tree.isColumn(node)
            && Tree.names(node).size() == 1
            && Tree.names(node).get(0).equalsIgnoreCase("window");
    return window ? Optional.of(constant(WINDOW, node, "window")) : Optional.empty();
  }

  /** Output columns of a query; empty if it does not stand on its own. */
  Optional<Schema> find(Select query, Scope scope) {
    try {
      return Optional.of(describe(query, scope));
    } catch (SqlMistake e) {
      return Optional.empty();
    }
  }

  /** Columns of {@code SELECT item FROM from}, the item being an expression or a star. */
  Optional<Schema> find(JsonNode item, JsonNode from, Scope scope) {
    try {
      Select select = context.sql.parse("SELECT 1");
      select.setSelectList(List.of(item));
      select.setFrom(from);
      return find(select, scope);
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated query did not parse.", e);
    }
  }

  private Optional<JsonNode> plain(JsonNode node) {
    if (Tree.type(node).equals("TABLE_FUNCTION")) {
      TableRef ref = new TableRef(node);
      if (Froms.isStreamFunction(Tree.function(ref.function()))) {
        String alias = ref.alias().isEmpty() ? innermost(ref.function()) : ref.alias();
        return Optional.of(subquery(stand(ref.function()), alias, ref.columnAliases()));
      }
    }
    if (Tree.isFunction(node)
        && List.of("window", "session_window").contains(Tree.function(node))) {
      return Optional.of(constant(WINDOW, node, "window"));
    }
    if (Tree.isFunction(node) && Tree.function(node).equals("window_time")) {
      return Optional.of(constant("NULL::TIMESTAMP", node, "window_time"));
    }
    boolean windowName =
        Tree.isColumn(node) && Tree.names(node).get(0).toLowerCase(Locale.ROOT).equals("window");
    if (windowName && Tree.names(node).size() == 2) {
      return Optional.of(constant("NULL::TIMESTAMP", node, Tree.names(node).get(1)));
    }
    return Optional.empty();
  }

  /** Text of a SELECT with the columns of a window or deduplication over a plain table. */
  private String stand(JsonNode function) {
    List<JsonNode> arguments = Tree.arguments(function);
    JsonNode first = arguments.get(0);
    String input =
        Tree.isColumn(first) ? Sql.name(Tree.names(first).get(0)) : "(" + stand(first) + ")";
    List<String> conditions = new ArrayList<>();
    for (JsonNode argument : arguments.subList(1, arguments.size())) {
      if (Tree.isColumn(argument)) {
        conditions.add(context.sql.text(argument) + " IS NULL");
      }
    }
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    String rows = "SELECT * FROM " + input + " AS " + Sql.name(innermost(function)) + where;
    if (!Froms.WINDOWS.contains(Tree.function(function))) {
      return rows;
    }
    return "SELECT COLUMNS(lambda c: c NOT IN ('window_start', 'window_end', 'window_time')),"
        + " NULL::TIMESTAMP AS window_start, NULL::TIMESTAMP AS window_end,"
        + " NULL::TIMESTAMP AS window_time FROM ("
        + rows
        + ")";
  }

  /** The name of the stream, view or common table inside nested windows and deduplications. */
  static String innermost(JsonNode function) {
    JsonNode first = Tree.arguments(function).get(0);
    return Tree.isColumn(first) ? Tree.names(first).get(0) : innermost(first);
  }

  private JsonNode subquery(String sql, String alias, List<String> columnAliases) {
    try {
      String names =
          columnAliases.isEmpty()
              ? ""
              : "(" + String.join(", ", columnAliases.stream().map(Sql::name).toList()) + ")";
      return context.sql.parse("SELECT * FROM (" + sql + ") AS " + Sql.name(alias) + names).from();
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated query did not parse.", e);
    }
  }

  private JsonNode constant(String sql, JsonNode replaced, String name) {
    try {
      ObjectNode node = (ObjectNode) context.sql.parseExpression(sql);
      return Tree.aliased(node, Tree.alias(replaced).isEmpty() ? name : Tree.alias(replaced));
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated expression did not parse.", e);
    }
  }
}

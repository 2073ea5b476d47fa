package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets DuckDB bind the query as a whole, with streams as empty tables and windows as plain columns,
 * so that names, types and functions are checked before it is taken apart; and finds the place of
 * what DuckDB complains about.
 */
final class Validation {
  private static final Pattern NAMED =
      Pattern.compile(
          "(?:Referenced column|Table|Referenced table|column|Column with name|(?:Scalar|Table"
              + " |Aggregate|Macro)? ?Function with name|Values list|Could not find key|struct"
              + " entry)\\s+\"?([^\"\\s!]+)\"?",
          Pattern.CASE_INSENSITIVE);

  private final Context context;

  Validation(Context context) {
    this.context = context;
  }

  /** The columns of the query; fails with the first mistake in it. */
  Schema check(Select query, Scope scope) {
    createTables();
    Select whole = query.copy();
    java.util.Map<String, JsonNode> tables = new java.util.LinkedHashMap<>();
    scope.all().values().forEach(n -> tables.put(n.name(), n.entry()));
    tables.putAll(query.commonTables());
    whole.setCommonTables(tables);
    Select plain = whole.replace(this::plain);
    try {
      return context.sql.describe(context.sql.text(plain));
    } catch (SqlMistake e) {
      throw located(e, query, scope);
    }
  }

  private void createTables() {
    try {
      for (Catalog.StreamEntry stream : context.catalog.streams.values()) {
        List<Column> columns = new ArrayList<>(stream.visible().columns());
        columns.addAll(stream.hidden().columns());
        context.sql.createTable(stream.name(), new Schema(columns));
      }
      for (Catalog.TableEntry table : context.catalog.tables.values()) {
        context.sql.createTable(table.name(), table.columns());
      }
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "Checked columns have no valid types.", e);
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
      return Optional.of(
          constant("{'start': NULL::TIMESTAMP, 'end': NULL::TIMESTAMP}", node, "window"));
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

  private static String innermost(JsonNode function) {
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

  /** The error with the place of the name DuckDB mentions, and a nearest name for functions. */
  private TidemillException located(SqlMistake mistake, Select query, Scope scope) {
    String message = mistake.getMessage();
    Matcher named = NAMED.matcher(message);
    while (named.find()) {
      String name = named.group(1);
      Optional<JsonNode> node =
          find(query.node(), name)
              .or(
                  () ->
                      scope.all().values().stream()
                          .map(n -> find(n.entry(), name))
                          .flatMap(Optional::stream)
                          .findFirst());
      if (node.isPresent()) {
        boolean function = Tree.isFunction(node.get());
        boolean missing = message.contains("not found") || message.contains("does not exist");
        String hint =
            function && missing && !message.contains("Did you mean")
                ? Nearest.hint(name, context.sql.functions())
                : "";
        return context.error(
            missing ? ErrorCode.UNKNOWN_NAME : ErrorCode.ILLEGAL_QUERY,
            node.get(),
            readable(message) + hint);
      }
    }
    return context.error(ErrorCode.ILLEGAL_QUERY, null, readable(message));
  }

  private static Optional<JsonNode> find(JsonNode tree, String name) {
    List<JsonNode> found = new ArrayList<>();
    Tree.walk(
        tree,
        n -> {
          boolean column =
              Tree.isColumn(n) && Tree.names(n).stream().anyMatch(p -> p.equalsIgnoreCase(name));
          boolean function = Tree.isFunction(n) && Tree.function(n).equalsIgnoreCase(name);
          if ((column || function) && Tree.place(n) >= 0) {
            found.add(n);
          }
        });
    return found.stream().findFirst();
  }

  /** DuckDB's message without its category and its own rendering of the query. */
  private static String readable(String message) {
    String text =
        message.replaceFirst("^(Binder|Catalog|Parser|Conversion|Not implemented) Error: ", "");
    int line = text.indexOf("\nLINE ");
    return (line < 0 ? text : text.substring(0, line)).strip().replace('\n', ' ');
  }
}

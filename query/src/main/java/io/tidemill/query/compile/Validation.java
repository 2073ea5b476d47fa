package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
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
    Shapes shapes = new Shapes(context);
    shapes.createTables();
    try {
      return shapes.describe(query, scope);
    } catch (SqlMistake e) {
      throw located(e, query, scope);
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

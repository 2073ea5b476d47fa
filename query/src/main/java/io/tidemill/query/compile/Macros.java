package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.Macro;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.List;
import java.util.Optional;

/**
 * Writes out DuckDB's macros that hide an aggregate or the clock, such as {@code geomean} and
 * {@code ago}: what is hidden would be aggregated batch by batch, or differ in a replay.
 */
final class Macros {
  private final DuckSql sql;

  private Macros(DuckSql sql) {
    this.sql = sql;
  }

  static Select expand(DuckSql sql, Select query) {
    Macros macros = new Macros(sql);
    return isIn(query.node(), macros) ? Select.of(macros.expanded(query.node())) : query;
  }

  /** Whether a node is a call that {@link #expand} writes out. */
  static boolean isExpanded(DuckSql sql, JsonNode node) {
    return new Macros(sql).of(node).isPresent();
  }

  private static boolean isIn(JsonNode tree, Macros macros) {
    boolean[] found = {false};
    Tree.walk(tree, n -> found[0] |= macros.of(n).isPresent());
    return found[0];
  }

  private JsonNode expanded(JsonNode node) {
    return Tree.replace(node, n -> of(n).map(m -> expanded(written(n, m))));
  }

  private Optional<Macro> of(JsonNode node) {
    if (!Tree.isFunction(node)) {
      return Optional.empty();
    }
    int arguments = Tree.arguments(node).size();
    return sql.macros(Tree.function(node)).stream()
        .filter(m -> m.parameters().size() == arguments)
        .map(m -> new Macro(m.parameters(), Pinned.called(m.body(), m.parameters())))
        .filter(m -> hides(m.body()))
        .findFirst();
  }

  private boolean hides(JsonNode body) {
    boolean[] found = {false};
    Tree.walk(
        body,
        n ->
            found[0] |=
                Pinned.isClockCall(n)
                    || (Tree.isFunction(n) && sql.isAggregate(Tree.function(n)))
                    || of(n).isPresent());
    return found[0];
  }

  private static JsonNode written(JsonNode call, Macro macro) {
    List<JsonNode> arguments = Tree.arguments(call);
    JsonNode body =
        Tree.replace(
            macro.body(),
            n -> {
              int parameter =
                  Tree.isColumn(n) && Tree.names(n).size() == 1
                      ? macro.parameters().indexOf(Tree.names(n).get(0))
                      : -1;
              return parameter < 0 ? Optional.empty() : Optional.of(arguments.get(parameter));
            });
    if (call.path("filter").isObject() || call.path("distinct").asBoolean()) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "This function is a macro and takes neither FILTER nor DISTINCT; write out what it"
                  + " stands for.")
          .with("function", Tree.function(call));
    }
    return Tree.aliased(body, Tree.alias(call));
  }
}

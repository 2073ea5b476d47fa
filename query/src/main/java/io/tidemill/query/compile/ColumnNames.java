package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A column without a name is named after its expression, also if that is about to be rewritten. */
final class ColumnNames {
  private ColumnNames() {}

  /** Names that a node gives to columns; a column that only keeps its name is given none. */
  static List<String> given(JsonNode node) {
    List<String> names = new ArrayList<>();
    boolean keeps =
        Tree.isColumn(node)
            && Tree.names(node).stream().anyMatch(Tree.alias(node)::equalsIgnoreCase);
    if (Tree.isExpression(node) && !Tree.alias(node).isEmpty() && !keeps) {
      names.add(Tree.alias(node));
    }
    node.path("column_name_alias").forEach(n -> names.add(n.asText()));
    node.path("aliases").forEach(n -> names.add(n.asText()));
    return names;
  }

  /** Names the columns, in subqueries too, whose expression holds a node that will change. */
  static Select keep(DuckSql sql, Select query, Predicate<JsonNode> changes) {
    Select named = query.copy();
    Tree.walk(
        named.node(),
        n -> {
          if (Tree.type(n).equals("SELECT_NODE")) {
            name(sql, Select.of(n), changes);
          }
        });
    return named;
  }

  private static void name(DuckSql sql, Select select, Predicate<JsonNode> changes) {
    List<JsonNode> items = new ArrayList<>();
    for (JsonNode item : select.selectList()) {
      boolean[] found = {false};
      Tree.walkExpression(item, n -> found[0] |= changes.test(n));
      boolean unnamed = found[0] && Tree.alias(item).isEmpty();
      items.add(unnamed ? Tree.aliased(item, sql.text(item)) : item);
    }
    select.setSelectList(items);
  }
}

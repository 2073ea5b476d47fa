package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * ORDER BY of a grouped query may name what is not selected. Such expressions are selected too, as
 * columns of their own, which the ordering then leaves out.
 */
final class Orderings {
  private static final String HIDDEN = OwnNames.PREFIX + "order";

  private Orderings() {}

  /** The query with all that it is ordered by among its columns. */
  static Select selected(Context context, Select query) {
    if (query.order().isEmpty()
        || query.distinct().isPresent()
        || !Aggregates.isGrouped(context, query)) {
      return query;
    }
    Select changed = query.copy();
    List<JsonNode> items = new ArrayList<>(changed.selectList());
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    items.forEach(i -> names.add(SelectCompiler.outputName(i)));
    int selected = items.size();
    for (JsonNode order : changed.order().get().path("orders")) {
      JsonNode expression = order.path("expression");
      if (!isOfOutput(context, expression, names, query.groupByAll())) {
        String name = HIDDEN + items.size();
        JsonNode item = Aggregates.withoutAliases(expression, items.subList(0, selected));
        items.add(Tree.aliased(item, name));
        ((ObjectNode) order).set("expression", Tree.column(name));
      }
    }
    changed.setSelectList(items);
    return changed;
  }

  /** Names of columns that are there only to be ordered by. */
  static List<String> hidden(Relation relation) {
    return relation.columns().names().stream().filter(n -> n.startsWith(HIDDEN)).toList();
  }

  private static boolean isOfOutput(
      Context context, JsonNode expression, Set<String> names, boolean groupByAll) {
    boolean[] aggregate = {false};
    boolean[] ofOutput = {true};
    Tree.walkExpression(
        expression,
        n -> {
          aggregate[0] |= Aggregates.isAggregate(context, n) || Tree.isGrouping(n);
          boolean other =
              Tree.isColumn(n)
                  && (Tree.names(n).size() > 1 || !names.contains(Tree.names(n).get(0)));
          ofOutput[0] &= !other;
        });
    return !aggregate[0] && (ofOutput[0] || groupByAll);
  }
}

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A window's start, end and time say the same, so a query that groups by one of them may select the
 * others: they join the grouping.
 */
final class WindowColumns {
  private static final List<String> NAMES = List.of("window_start", "window_end", "window_time");

  private WindowColumns() {}

  /** Completes the groupings everywhere in a query, in place. */
  static Select complete(Select query) {
    Tree.walk(
        query.node(),
        n -> {
          if (Tree.type(n).equals("SELECT_NODE")) {
            completeOne(Select.of(n));
          }
        });
    return query;
  }

  private static void completeOne(Select select) {
    if (!overWindow(new TableRef(select.from()))) {
      return;
    }
    List<JsonNode> groups = select.groups();
    TreeSet<String> grouped = new TreeSet<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      String name = windowName(groups.get(i));
      if (!name.isEmpty()) {
        grouped.add(name);
        places.add(i);
      }
    }
    if (grouped.isEmpty()) {
      return;
    }
    TreeSet<String> missing = new TreeSet<>();
    select.selectList().forEach(i -> Tree.walkExpression(i, n -> missing.add(windowName(n))));
    select.having().ifPresent(h -> Tree.walkExpression(h, n -> missing.add(windowName(n))));
    missing.remove("");
    missing.removeAll(grouped);
    ObjectNode node = select.node();
    ArrayNode expressions = node.withArray("group_expressions");
    for (String name : missing) {
      int added = expressions.size();
      expressions.add(Tree.column(name));
      for (JsonNode set : node.path("group_sets")) {
        boolean holds = false;
        for (JsonNode member : set) {
          holds |= places.contains(member.asInt());
        }
        if (holds) {
          ((ArrayNode) set).add(added);
        }
      }
    }
  }

  private static boolean overWindow(TableRef from) {
    if (from.isJoin()) {
      return overWindow(from.left()) || overWindow(from.right());
    }
    return from.isFunction() && Froms.WINDOWS.contains(Tree.function(from.function()));
  }

  private static String windowName(JsonNode node) {
    if (!Tree.isColumn(node)) {
      return "";
    }
    List<String> names = Tree.names(node);
    String last = Context.lower(names.get(names.size() - 1));
    return NAMES.contains(last) ? last : "";
  }
}

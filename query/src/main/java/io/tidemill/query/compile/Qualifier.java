package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Replaces the column names of one expression by qualified ones. */
final class Qualifier {
  private final Context context;
  private final Members members;
  private final Scope scope;
  private final Function<String, Optional<JsonNode>> aliases;
  private final Set<String> expanding = new TreeSet<>();
  private boolean unknown;
  private boolean window;

  /**
   * @param aliases what a name means that is no column, e.g. an item of the select list
   */
  private Qualifier(
      Context context, Members members, Scope scope, Function<String, Optional<JsonNode>> aliases) {
    this.context = context;
    this.members = members;
    this.scope = scope;
    this.aliases = aliases;
  }

  /**
   * An expression that means the same wherever the members' columns are.
   *
   * @param window true if it also uses the window of a {@code window(…)} call, which no member has
   */
  record Qualified(JsonNode expression, boolean window) {}

  /** Empty if it cannot be told what a name in the expression means. */
  static Optional<Qualified> of(
      Context context,
      Members members,
      Scope scope,
      JsonNode expression,
      Function<String, Optional<JsonNode>> aliases) {
    Qualifier qualifier = new Qualifier(context, members, scope, aliases);
    JsonNode qualified = qualifier.visit(expression, Set.of());
    return qualifier.unknown
        ? Optional.empty()
        : Optional.of(new Qualified(qualified, qualifier.window));
  }

  private JsonNode visit(JsonNode node, Set<String> parameters) {
    if (Tree.isColumn(node)) {
      return column(node, parameters);
    }
    if (Tree.isStar(node)) {
      unknown = true;
      return node;
    }
    if (Tree.isSubquery(node)) {
      return subquery(node, parameters);
    }
    if (Tree.isFunction(node) && SparkWindows.FUNCTIONS.contains(Tree.function(node))) {
      window = true;
      return node;
    }
    Set<String> inner = parameters;
    if (Tree.isLambda(node)) {
      inner = new TreeSet<>(parameters);
      inner.addAll(Tree.parameters(node));
    }
    return children(node, inner);
  }

  private JsonNode children(JsonNode node, Set<String> parameters) {
    if (node.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      node.fields().forEachRemaining(f -> copy.set(f.getKey(), visit(f.getValue(), parameters)));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode();
      node.forEach(child -> copy.add(visit(child, parameters)));
      return copy;
    }
    return node;
  }

  private JsonNode column(JsonNode node, Set<String> parameters) {
    List<String> names = Tree.names(node);
    String first = Context.lower(names.get(0));
    if (parameters.contains(first)) {
      return node;
    }
    Optional<JsonNode> column = members.find(names);
    if (column.isPresent()) {
      return column.get();
    }
    Optional<JsonNode> item = names.size() == 1 ? aliases.apply(first) : Optional.empty();
    if (item.isPresent() && expanding.add(first)) {
      JsonNode expanded = visit(Tree.aliased(item.get(), ""), parameters);
      expanding.remove(first);
      return expanded;
    }
    if (first.equals("window")) {
      window = true;
    } else {
      unknown = true;
    }
    return node;
  }

  private JsonNode subquery(JsonNode node, Set<String> parameters) {
    ObjectNode copy = node.deepCopy();
    copy.set("child", visit(node.path("child"), parameters));
    Select inner = Select.ofExpression(copy);
    addStatics(inner);
    if (new Shapes(context).find(inner, scope).isEmpty()) {
      correlate(inner);
    }
    return copy;
  }

  /** Gives a subquery the named queries it may use, so that it can stand anywhere. */
  private void addStatics(Select inner) {
    boolean names =
        Conditions.holds(
            inner.node(),
            n ->
                Tree.type(n).equals("BASE_TABLE")
                    && scope.find(new TableRef(n).table()).isPresent());
    if (names) {
      Map<String, JsonNode> tables =
          new LinkedHashMap<>(Statics.usedBy(inner, Statics.of(new Froms(context), scope)));
      tables.putAll(inner.commonTables());
      inner.setCommonTables(tables);
    }
  }

  /** Qualifies the columns of a subquery that are those of the query around it. */
  private void correlate(Select inner) {
    Optional<Schema> own =
        inner.isPlain() && !Conditions.holds(inner.node(), Qualifier::isTooDeep)
            ? new Shapes(context).find(Tree.star(""), inner.from(), scope)
            : Optional.empty();
    if (own.isEmpty()) {
      unknown = true;
      return;
    }
    Set<String> tables = tables(inner);
    Map<String, JsonNode> named = inner.commonTables();
    inner.setCommonTables(Map.of());
    JsonNode replaced =
        Tree.replace(
            inner.node(),
            n -> Tree.isColumn(n) ? Optional.of(outer(n, own.get(), tables)) : Optional.empty());
    inner.node().setAll((ObjectNode) replaced);
    inner.setCommonTables(named);
  }

  private JsonNode outer(JsonNode column, Schema own, Set<String> tables) {
    List<String> names = Tree.names(column);
    boolean inside =
        (names.size() > 1 && tables.contains(Context.lower(names.get(0))))
            || own.find(names.get(0)).isPresent();
    Optional<JsonNode> found = inside ? Optional.of(column) : members.find(names);
    unknown |= found.isEmpty();
    return found.orElse(column);
  }

  private static boolean isTooDeep(JsonNode node) {
    return Tree.isSubquery(node) || Tree.isLambda(node) || Tree.type(node).equals("SUBQUERY");
  }

  private static Set<String> tables(Select inner) {
    Set<String> names = new TreeSet<>();
    Tree.walk(
        inner.from(),
        n -> {
          if (Tree.type(n).equals("BASE_TABLE")) {
            TableRef ref = new TableRef(n);
            names.add(Context.lower(ref.alias().isEmpty() ? ref.table() : ref.alias()));
          }
        });
    return names;
  }
}

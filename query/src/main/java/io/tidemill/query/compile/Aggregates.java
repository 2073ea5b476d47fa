package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Splits a grouped SELECT into three: a SELECT in front that computes keys k0, k1, … and argument
 * columns x0, x1, …; the aggregation; and a SELECT behind over keys and values a0, a1, ….
 */
final class Aggregates {
  private static final String GROUPING_ID = "gid";
  private final Context context;
  private final Froms.Resolved from;
  private final List<JsonNode> arguments = new ArrayList<>();
  private final List<JsonNode> calls = new ArrayList<>();

  Aggregates(Context context, Froms.Resolved from) {
    this.context = context;
    this.from = from;
  }

  static List<Integer> upTo(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  static boolean isGrouped(Context context, Select query) {
    boolean[] found = {
      !query.groups().isEmpty() || query.groupByAll() || query.having().isPresent()
    };
    query
        .selectList()
        .forEach(i -> Tree.walkExpression(i, n -> found[0] |= isAggregate(context, n)));
    return found[0];
  }

  static boolean isAggregate(Context context, JsonNode node) {
    return Tree.isFunction(node) && context.sql.isAggregate(Tree.function(node));
  }

  private boolean isAggregate(JsonNode node) {
    return isAggregate(context, node);
  }

  Relation compile(Select query) {
    List<JsonNode> keys = keys(query);
    List<JsonNode> items = new ArrayList<>();
    for (JsonNode item : query.selectList()) {
      items.add(named(item));
    }
    List<List<Integer>> sets = sets(query, keys.size());
    boolean grouping = sets.size() > 1;
    List<JsonNode> outputs = items.stream().map(i -> output(i, keys, grouping)).toList();
    Optional<JsonNode> having =
        query.having().map(h -> output(withoutAliases(h, items), keys, grouping));

    List<JsonNode> front = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      front.add(Tree.aliased(keys.get(i), "k" + i));
    }
    for (int i = 0; i < arguments.size(); i++) {
      front.add(Tree.aliased(arguments.get(i), "x" + i));
    }
    if (front.isEmpty()) {
      front.add(Tree.aliased(Tree.text(""), "x"));
    }
    Select before = query.copy();
    before.setSelectList(front);
    before.clearGrouping();
    List<Origin.Branch> fronts = context.wrap(from.leaf().branches(), context.sql.text(before));
    Schema frontColumns = context.describe(fronts.get(0));
    Relation stored =
        context.storable(new Relation(fronts, frontColumns, Map.of(), Set.of()), keys.size());
    List<Origin.Branch> inputs = stored.branches();
    Schema inputColumns = stored.columns();

    Map<String, String> keyTimes = new HashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      int key = i;
      SelectCompiler.timeOf(keys.get(i), from).ifPresent(t -> keyTimes.put("k" + key, t));
    }
    StatefulOperator.Aggregate operator = operator(inputColumns, keys.size(), sets, keyTimes);
    List<Column> outputColumns = new ArrayList<>(operator.keys());
    operator.aggregates().forEach(a -> outputColumns.add(Column.of(a.name(), a.resultType())));
    Origin.Operator origin =
        context.operator(Optional.of(operator), inputs, new Schema(outputColumns));
    return behind(query, restored(origin, frontColumns, keys.size()), outputs, having, keyTimes);
  }

  /** The operator's rows, with keys in the types they had before they were stored. */
  private Origin.Branch restored(Origin.Operator origin, Schema before, int keyCount) {
    List<String> casts = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      String type = before.columns().get(i).type();
      if (!type.equals(origin.columns().columns().get(i).type())) {
        casts.add("CAST(k" + i + " AS " + type + ") AS k" + i);
      }
    }
    String all = casts.isEmpty() ? "*" : "* REPLACE (" + String.join(", ", casts) + ")";
    return new Origin.Branch(origin, "SELECT " + all + " FROM " + OwnNames.INPUT);
  }

  private StatefulOperator.Aggregate operator(
      Schema input, int keyCount, List<List<Integer>> sets, Map<String, String> keyTimes) {
    List<Column> keys = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      keys.add(Column.of("k" + i, input.columns().get(i).type()));
    }
    if (sets.size() > 1) {
      keys.add(Column.of(GROUPING_ID, "BIGINT"));
    }
    AggregateStates states = new AggregateStates(context, input);
    List<AggregateState> aggregates = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      aggregates.add(states.of("a" + i, calls.get(i)));
    }
    Optional<String> time =
        keyTimes.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .findFirst()
            .map(e -> Relation.fill(e.getValue(), e.getKey()));
    return new StatefulOperator.Aggregate(
        keys, aggregates, sets, keyCount == 0, time, context.mode);
  }

  private Relation behind(
      Select query,
      Origin.Branch rows,
      List<JsonNode> outputs,
      Optional<JsonNode> having,
      Map<String, String> keyTimes) {
    Select behind = query.copy();
    behind.clearGrouping();
    behind.setSelectList(outputs);
    behind.setFrom(io.tidemill.query.sql.TableRef.table(Froms.MARKER, OwnNames.INPUT, List.of()));
    behind.setWhere(having.orElse(com.fasterxml.jackson.databind.node.NullNode.getInstance()));
    Origin.Branch branch = context.wrap(List.of(rows), context.sql.text(behind)).get(0);
    Map<String, String> times = new HashMap<>();
    for (JsonNode item : outputs) {
      if (Tree.isColumn(item) && keyTimes.containsKey(Tree.names(item).get(0))) {
        times.put(Context.lower(Tree.alias(item)), keyTimes.get(Tree.names(item).get(0)));
      }
    }
    return new Relation(List.of(branch), context.describe(branch), times, Set.of());
  }

  /** Group expressions with ordinals, aliases and ALL resolved. */
  private List<JsonNode> keys(Select query) {
    if (query.groupByAll()) {
      List<JsonNode> keys = new ArrayList<>();
      for (JsonNode item : query.selectList()) {
        boolean[] aggregate = {false};
        Tree.walkExpression(item, n -> aggregate[0] |= isAggregate(n));
        if (!aggregate[0]) {
          keys.add(item);
        }
      }
      return keys;
    }
    List<JsonNode> keys = new ArrayList<>();
    for (JsonNode group : query.groups()) {
      Optional<Long> ordinal = Tree.number(group);
      if (ordinal.isPresent()) {
        if (ordinal.get() < 1 || ordinal.get() > query.selectList().size()) {
          throw context.error(
              ErrorCode.ILLEGAL_QUERY, group, "GROUP BY names a column that is not selected.");
        }
        keys.add(query.selectList().get((int) (ordinal.get() - 1)));
      } else {
        keys.add(columnOrAlias(group, query.selectList()));
      }
    }
    return keys;
  }

  private JsonNode columnOrAlias(JsonNode group, List<JsonNode> items) {
    if (!Tree.isColumn(group) || Tree.names(group).size() > 1) {
      return group;
    }
    String name = Tree.names(group).get(0);
    if (from.leaf().columns().find(name).isPresent()) {
      return group;
    }
    return items.stream()
        .filter(i -> Tree.alias(i).equalsIgnoreCase(name))
        .findFirst()
        .orElse(group);
  }

  private List<List<Integer>> sets(Select query, int keys) {
    List<List<Integer>> sets = query.groupSets();
    return query.groupByAll() || sets.isEmpty() ? List.of(upTo(keys)) : sets;
  }

  /** The item with the name DuckDB would give it. */
  private ObjectNode named(JsonNode item) {
    if (!Tree.alias(item).isEmpty()) {
      return item.deepCopy();
    }
    if (Tree.isColumn(item)) {
      List<String> names = Tree.names(item);
      String written = names.get(names.size() - 1);
      return Tree.aliased(
          item, from.leaf().columns().find(written).map(Column::name).orElse(written));
    }
    return Tree.aliased(item, context.sql.text(item));
  }

  /** A condition of HAVING with the selected expressions in place of their names. */
  static JsonNode withoutAliases(JsonNode condition, List<? extends JsonNode> items) {
    return Tree.replace(
        condition,
        n ->
            Tree.isColumn(n) && Tree.names(n).size() == 1
                ? items.stream()
                    .filter(
                        i ->
                            !Tree.isColumn(i)
                                && Tree.alias(i).equalsIgnoreCase(Tree.names(n).get(0)))
                    .findFirst()
                    .map(i -> (JsonNode) Tree.aliased(i, ""))
                : Optional.empty());
  }

  /** An output expression in terms of keys and aggregate values. */
  private JsonNode output(JsonNode expression, List<JsonNode> keys, boolean grouping) {
    JsonNode replaced = Tree.replace(expression, n -> value(n, keys, grouping));
    String alias = Tree.alias(expression);
    return alias.isEmpty() ? replaced : Tree.aliased(replaced, alias);
  }

  private Optional<JsonNode> value(JsonNode node, List<JsonNode> keys, boolean grouping) {
    if (!Tree.isExpression(node)) {
      return Optional.empty();
    }
    if (Tree.isGrouping(node)) {
      return Optional.of(groupingBits(node, keys, grouping));
    }
    for (int i = 0; i < keys.size(); i++) {
      if (Tree.same(node, keys.get(i))) {
        return Optional.of(Tree.column("k" + i));
      }
    }
    return isAggregate(node) ? Optional.of(Tree.column("a" + call(node))) : Optional.empty();
  }

  private JsonNode groupingBits(JsonNode node, List<JsonNode> keys, boolean grouping) {
    List<String> bits = new ArrayList<>();
    for (JsonNode child : node.path("children")) {
      int key =
          IntStream.range(0, keys.size())
              .filter(i -> Tree.same(child, keys.get(i)))
              .findFirst()
              .orElse(-1);
      if (key < 0) {
        throw context.error(ErrorCode.ILLEGAL_QUERY, child, "grouping takes columns of GROUP BY.");
      }
      int shift = keys.size() - 1 - key;
      bits.add(grouping ? "((" + GROUPING_ID + " >> " + shift + ") & 1)" : "0");
    }
    StringBuilder value = new StringBuilder(bits.isEmpty() ? GROUPING_ID : bits.get(0));
    for (int i = 1; i < bits.size(); i++) {
      value.insert(0, "(").append(" * 2 + ").append(bits.get(i)).append(")");
    }
    try {
      return context.sql.parseExpression("CAST(" + value + " AS BIGINT)");
    } catch (io.tidemill.query.sql.DuckSql.SqlMistake e) {
      throw new io.tidemill.protocol.error.TidemillException(
          ErrorCode.INTERNAL, "A generated expression did not parse.", e);
    }
  }

  /** The number of an aggregate call, equal calls sharing one. */
  private int call(JsonNode node) {
    for (JsonNode part : node) {
      Tree.walkExpression(part, this::refuseNested);
    }
    ObjectNode call = Tree.aliased(node, "");
    List<JsonNode> replaced = Tree.arguments(call).stream().map(this::argument).toList();
    Tree.setArguments(call, replaced);
    if (call.path("filter").isObject()) {
      call.set("filter", argument(call.get("filter")));
    }
    for (JsonNode order : call.path("order_bys").path("orders")) {
      ((ObjectNode) order).set("expression", argument(order.get("expression")));
    }
    for (int i = 0; i < calls.size(); i++) {
      if (Tree.same(calls.get(i), call)) {
        return i;
      }
    }
    calls.add(call);
    return calls.size() - 1;
  }

  private void refuseNested(JsonNode node) {
    if (isAggregate(node)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY, node, "An aggregate cannot stand inside another one.");
    }
  }

  private JsonNode argument(JsonNode expression) {
    if (Tree.isFree(expression)) {
      return expression;
    }
    for (int i = 0; i < arguments.size(); i++) {
      if (Tree.same(arguments.get(i), expression)) {
        return Tree.column("x" + i);
      }
    }
    arguments.add(expression);
    return Tree.column("x" + (arguments.size() - 1));
  }
}

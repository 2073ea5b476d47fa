package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Turns a query over streams into a relation: SQL where it can, operators where it must. */
final class SelectCompiler {
  private final Context context;
  private final Froms froms;
  private final Set<String> namesInQuery = new TreeSet<>();

  SelectCompiler(Context context, Select query, Scope scope) {
    this.context = context;
    this.froms = new Froms(context);
    collectNames(query.node());
    scope.all().values().forEach(n -> collectNames(n.entry()));
  }

  private void collectNames(JsonNode node) {
    Tree.walk(
        node,
        n -> {
          if (Tree.isColumn(n)) {
            Tree.names(n).forEach(name -> namesInQuery.add(Context.lower(name)));
          }
          boolean allColumns =
              Tree.isStar(n)
                  || n.has("using_columns")
                  || (Tree.isFunction(n)
                      && Froms.DEDUPLICATIONS.contains(Tree.function(n))
                      && Tree.arguments(n).size() == 1);
          if (allColumns) {
            namesInQuery.add("*");
          }
          n.path("using_columns").forEach(c -> namesInQuery.add(Context.lower(c.asText())));
        });
  }

  /** Lower-case column names the whole query mentions; with {@code *} among them, all. */
  Set<String> namesInQuery() {
    return namesInQuery;
  }

  Froms froms() {
    return froms;
  }

  Relation compileNamed(Scope.Named named, List<JsonNode> conditions) {
    List<String> names = new ArrayList<>();
    named.entry().path("aliases").forEach(a -> names.add(a.asText()));
    if (names.isEmpty()) {
      return compile(named.query(), named.scope(), conditions);
    }
    List<JsonNode> renamed = conditions;
    if (!conditions.isEmpty()) {
      List<String> columns = outputNames(named.query(), named.scope());
      renamed = Filters.renamed(conditions, Filters.aliased(columns, names), columns);
    }
    return Renaming.of(context, compile(named.query(), named.scope(), renamed), names);
  }

  /** Names of a query's output columns. */
  private List<String> outputNames(Select query, Scope scope) {
    return new Shapes(context).find(query, scope).map(Schema::names).orElse(List.of());
  }

  /**
   * Compiles a query that names at least one stream.
   *
   * @param conditions conditions over the output, in terms of {@link Filters#ROW}, that a row must
   *     meet to count; they need not be applied here
   */
  Relation compile(Select written, Scope outer, List<JsonNode> conditions) {
    Select query = written.isPlain() ? Orderings.selected(context, written) : written;
    Scope scope = outer.with(query.commonTables());
    List<JsonNode> inner = query.limit().isEmpty() ? conditions : List.of();
    Relation relation;
    if (query.setOperation().isPresent()) {
      relation = new SetOperations(context, this).compile(query, scope, inner);
    } else if (query.isPlain()) {
      relation = compilePlain(query, scope, inner);
    } else {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          query.node(),
          "A recursive query over a stream is not possible.");
    }
    return modifiers(query, relation, inner);
  }

  private Relation compilePlain(Select query, Scope scope, List<JsonNode> conditions) {
    checkClauses(query, scope);
    Filters.Moved moved = Filters.move(context, query, scope, conditions);
    Froms.Resolved from = froms.resolve(moved, scope, this);
    SparkWindows.Rewritten windows = new SparkWindows(context).rewrite(moved.query(), from);
    Select rewritten = withHiddenExcluded(windows.query(), windows.from());
    rewritten.setFrom(windows.from().from());
    rewritten.setCommonTables(Map.of());
    rewritten.setCommonTables(Statics.usedBy(rewritten, Statics.of(froms, scope)));
    rewritten.clearModifiers();
    if (Aggregates.isGrouped(context, rewritten)) {
      return new Aggregates(context, windows.from()).compile(rewritten);
    }
    return project(rewritten, windows.from());
  }

  /** A SELECT without grouping over the resolved FROM. */
  private Relation project(Select query, Froms.Resolved from) {
    List<Origin.Branch> branches = context.wrap(from.leaf().branches(), context.sql.text(query));
    Schema columns = context.describe(branches.get(0));
    Map<String, String> times = new HashMap<>();
    for (JsonNode item : query.selectList()) {
      if (Tree.isStar(item)) {
        times.putAll(timesOfStar(item, from, columns));
      } else {
        String name = outputName(item);
        timeOf(item, from).ifPresent(t -> times.put(Context.lower(name), t));
      }
    }
    return new Relation(branches, columns, times, Set.of());
  }

  private static Map<String, String> timesOfStar(
      JsonNode star, Froms.Resolved from, Schema columns) {
    String table = Tree.starTable(star);
    if (!table.isEmpty() && !table.equalsIgnoreCase(from.alias())) {
      return Map.of();
    }
    Map<String, String> changes = Tree.starChanges(star);
    Map<String, String> times = new HashMap<>();
    from.leaf()
        .times()
        .forEach(
            (name, template) -> {
              String now = changes.getOrDefault(name, name);
              if (now != null && columns.find(now).isPresent()) {
                times.put(Context.lower(now), template);
              }
            });
    return times;
  }

  /** What a selected column or aliased expression is called; empty for other expressions. */
  static String outputName(JsonNode item) {
    List<String> names = Tree.names(item);
    String last = names.isEmpty() ? "" : names.get(names.size() - 1);
    return Tree.alias(item).isEmpty() ? last : Tree.alias(item);
  }

  /** The time template of an expression that is nothing but an event-time column of the stream. */
  static Optional<String> timeOf(JsonNode expression, Froms.Resolved from) {
    if (!Tree.isColumn(expression)) {
      return Optional.empty();
    }
    List<String> names = Tree.names(expression);
    boolean own =
        names.size() == 1 || (names.size() == 2 && names.get(0).equalsIgnoreCase(from.alias()));
    return own ? from.leaf().time(names.get(names.size() - 1)) : Optional.empty();
  }

  private static Select withHiddenExcluded(Select query, Froms.Resolved from) {
    if (from.leaf().hidden().isEmpty()) {
      return query;
    }
    List<JsonNode> items = new ArrayList<>();
    for (JsonNode item : query.selectList()) {
      String relation = item.path("relation_name").asText();
      if (Tree.isStar(item) && (relation.isEmpty() || relation.equalsIgnoreCase(from.alias()))) {
        ObjectNode star = item.deepCopy();
        from.leaf().hidden().forEach(star.withArray("exclude_list")::add);
        items.add(star);
      } else {
        items.add(item);
      }
    }
    query.setSelectList(items);
    return query;
  }

  private void checkClauses(Select query, Scope scope) {
    Tree.walk(query.node(), node -> checkExpression(node, scope));
    query
        .qualify()
        .ifPresent(
            q -> {
              throw analyticWindow(q);
            });
  }

  private void checkExpression(JsonNode node, Scope scope) {
    if (Tree.isSubquery(node) && froms.streams(node.path("subquery"), scope)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          node,
          "A subquery in an expression cannot read a stream; only static tables are possible there.");
    }
    if (Tree.isAnalyticWindow(node)) {
      throw analyticWindow(node);
    }
  }

  private io.tidemill.protocol.error.TidemillException analyticWindow(JsonNode node) {
    return context.error(
        ErrorCode.ILLEGAL_QUERY,
        node,
        "Analytic window functions (OVER, QUALIFY) are not possible on a stream: a later row could"
            + " change any result. Use TUMBLE or HOP with GROUP BY.");
  }

  /** DISTINCT, ORDER BY and LIMIT. */
  private Relation modifiers(Select query, Relation relation, List<JsonNode> conditions) {
    Relation result = relation;
    Optional<JsonNode> distinct = query.distinct();
    if (distinct.isPresent()) {
      if (!distinct.get().path("distinct_on_targets").isEmpty()) {
        throw context.error(
            ErrorCode.ILLEGAL_QUERY,
            query.node(),
            "DISTINCT ON is not possible on a stream; use drop_duplicates(stream, columns…).");
      }
      result = distinct(filtered(result, conditions));
    }
    Optional<JsonNode> limit = query.limit();
    limit.ifPresent(l -> checkLimit(l));
    if (query.order().isPresent()) {
      return ordered(query, result);
    }
    if (limit.isPresent()) {
      return context.mode == OutputMode.COMPLETE
          ? ordered(query, result)
          : limited(result, Tree.number(limit.get().path("limit")).get());
    }
    return result;
  }

  private void checkLimit(JsonNode limit) {
    if (limit.path("offset").isObject()) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY, limit.path("offset"), "OFFSET is not possible on a stream.");
    }
    if (Tree.number(limit.path("limit")).isEmpty()) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          limit.path("limit"),
          "LIMIT on a stream takes a constant number of rows.");
    }
  }

  private Relation limited(Relation any, long rows) {
    return Renaming.aroundOperator(
        context,
        context.storable(any),
        input ->
            behind(
                Optional.of(new StatefulOperator.Limit(input.columns().columns(), rows)), input));
  }

  private Relation ordered(Select query, Relation input) {
    Relation met =
        Renaming.aroundOperator(
            context, context.storable(input), rows -> behind(Optional.empty(), rows));
    List<String> hidden = Orderings.hidden(input);
    String exclude =
        hidden.isEmpty()
            ? ""
            : hidden.stream().map(Sql::name).collect(Collectors.joining(", ", " EXCLUDE (", ")"));
    Select all = context.parsed("SELECT *" + exclude + " FROM " + Froms.MARKER);
    query.order().ifPresent(o -> all.node().withArray("modifiers").add(o));
    query.limit().ifPresent(l -> all.node().withArray("modifiers").add(l));
    return new Relation(
        context.wrap(met.branches(), context.sql.text(all)),
        new Schema(
            met.columns().columns().stream().filter(c -> !hidden.contains(c.name())).toList()),
        met.times(),
        met.hidden());
  }

  private Relation behind(Optional<StatefulOperator> operator, Relation input) {
    Origin.Operator origin = context.operator(operator, input.branches(), input.columns());
    return new Relation(
        List.of(Origin.Branch.of(origin)), input.columns(), input.times(), input.hidden());
  }

  /** Only rows that meet conditions in terms of {@link Filters#ROW}. */
  Relation filtered(Relation input, List<JsonNode> conditions) {
    if (conditions.isEmpty()) {
      return input;
    }
    Select all = context.parsed("SELECT * FROM " + Froms.MARKER + " AS " + Filters.ROW);
    all.setWhere(Conditions.all(Conditions.withoutImplied(conditions)));
    return new Relation(
        context.wrap(input.branches(), context.sql.text(all)),
        input.columns(),
        input.times(),
        input.hidden());
  }

  /** SELECT DISTINCT is an aggregation by all columns, as in Spark. */
  Relation distinct(Relation any) {
    Relation input = context.storable(any);
    List<Column> keys = new ArrayList<>();
    List<String> toKeys = new ArrayList<>();
    List<String> fromKeys = new ArrayList<>();
    Optional<String> time = Optional.empty();
    for (int i = 0; i < input.columns().columns().size(); i++) {
      Column column = input.columns().columns().get(i);
      keys.add(Column.of("k" + i, column.type()));
      toKeys.add(Sql.name(column.name()) + " AS k" + i);
      fromKeys.add("k" + i + " AS " + Sql.name(column.name()));
      Optional<String> template = input.time(column.name());
      if (time.isEmpty() && template.isPresent()) {
        time = Optional.of(Relation.fill(template.get(), "k" + i));
      }
    }
    StatefulOperator.Aggregate operator =
        new StatefulOperator.Aggregate(
            keys, List.of(), List.of(Aggregates.upTo(keys.size())), false, time, context.mode);
    Origin.Operator origin =
        context.operator(
            Optional.of(operator),
            context.wrap(
                input.branches(),
                "SELECT " + String.join(", ", toKeys) + " FROM " + Froms.MARKER + " AS r"),
            new Schema(keys));
    return new Relation(
        List.of(
            new Origin.Branch(
                origin, "SELECT " + String.join(", ", fromKeys) + " FROM " + OwnNames.INPUT)),
        input.columns(),
        input.times(),
        input.hidden());
  }
}

package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The steps that can follow a step, each written as a SELECT. */
final class Transformations {
  private final Queries queries;
  private final Step step;
  private final Scope scope;

  Transformations(Queries queries, Step step) {
    this.queries = queries;
    this.step = step;
    this.scope = queries.scope(step);
  }

  Schema schema() {
    return new Schema(
        step.visible().stream()
            .map(o -> io.tidemill.protocol.schema.Column.of(o.name(), o.type()))
            .toList());
  }

  private static Function<List<String>, String> from(String behind) {
    return names -> " FROM " + names.get(0) + behind;
  }

  private Step project(List<Item> items) {
    return project(items, "", Set.of());
  }

  private Step project(List<Item> items, String behind, Set<Body.Use> used) {
    return project(Projection.of(items, from(behind), used));
  }

  private Step project(Projection projection) {
    return queries.select(List.of(step), projection, projection.outputs());
  }

  /**
   * The steps of expressions, in which a sum of whole numbers is a BIGINT as in Spark: DuckDB's is
   * a HUGEINT.
   */
  private Step computed(List<Item> items, String behind, Set<Body.Use> used) {
    Step first = project(items, behind, used);
    boolean fine = first.outputs().stream().noneMatch(o -> o.type().equals("HUGEINT"));
    if (fine) {
      return first;
    }
    List<Item> changed = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      boolean sum = first.outputs().get(i).type().equals("HUGEINT") && item.source().isEmpty();
      changed.add(sum ? item.withSql("CAST(" + item.sql() + " AS BIGINT)") : item);
    }
    return project(changed, behind, used);
  }

  Step select(List<Column> columns) {
    return computed(scope.items(columns), "", Set.of());
  }

  Step filter(Column condition) {
    Written written = scope.written(condition.expression());
    return project(scope.all(), " WHERE " + written.sql(), written.uses());
  }

  Step withColumns(Map<String, Column> columns) {
    List<Item> items = new ArrayList<>();
    for (Item item : scope.all()) {
      items.add(
          columns.entrySet().stream()
              .filter(e -> e.getKey().equalsIgnoreCase(item.name()))
              .findFirst()
              .map(e -> item(e.getValue(), e.getKey()))
              .orElse(item));
    }
    columns.forEach(
        (name, column) -> {
          if (scope.all().stream().noneMatch(i -> i.name().equalsIgnoreCase(name))) {
            items.add(item(column, name));
          }
        });
    return computed(items, "", Set.of());
  }

  private Item item(Column column, String name) {
    List<Item> items = scope.items(List.of(column.as(name)));
    if (items.size() != 1) {
      throw new TidemillException(ErrorCode.ILLEGAL_QUERY, "A column cannot be a star.")
          .with("column", name);
    }
    return items.get(0);
  }

  Step renamed(String name, String newName) {
    boolean there = step.visible().stream().anyMatch(o -> o.isCalled(name));
    return there
        ? project(
            scope.all().stream()
                .map(i -> i.name().equalsIgnoreCase(name) ? i.named(newName) : i)
                .toList())
        : step;
  }

  Step named(List<String> names) {
    List<Item> items = scope.all();
    if (names.size() != items.size()) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY, "toDF takes a name for each column of the dataset.")
          .with("columns", items.size())
          .with("names", names.size());
    }
    List<Item> renamed = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      renamed.add(items.get(i).named(names.get(i)));
    }
    return project(renamed);
  }

  Step without(List<Column> columns) {
    Set<String> gone = new TreeSet<>();
    for (Column column : columns) {
      if (!(column.expression() instanceof Named named)) {
        throw new TidemillException(
                ErrorCode.ILLEGAL_QUERY, "drop takes columns by name, not expressions.")
            .with("column", column);
      }
      List<Output> called = scope.called(named.name());
      boolean single = named.step().isPresent() && !called.isEmpty();
      (single ? List.of(scope.output(named)) : called).forEach(o -> gone.add(o.sqlName()));
    }
    List<Item> kept =
        scope.all().stream()
            .filter(i -> !gone.contains(i.source().orElseThrow().sqlName()))
            .toList();
    if (kept.isEmpty()) {
      throw new TidemillException(ErrorCode.ILLEGAL_QUERY, "No column is left.");
    }
    return kept.size() == scope.all().size() ? step : project(kept);
  }

  Step dropDuplicates(List<String> names, boolean withinWatermark) {
    Written keys =
        scope.written(names.stream().map(n -> functions.col("`" + n + "`").expression()).toList());
    if (!step.isStreaming()) {
      if (withinWatermark) {
        throw new TidemillException(
            ErrorCode.ILLEGAL_QUERY, "dropDuplicatesWithinWatermark is for streams.");
      }
      return project(
          new Projection(
              "SELECT DISTINCT ON (" + keys.sql() + ") ",
              Projection.unique(scope.all()),
              from(""),
              keys.uses()));
    }
    String function = withinWatermark ? "drop_duplicates_within_watermark(" : "drop_duplicates(";
    Set<Body.Use> used = new TreeSet<>(keys.uses());
    used.addAll(eventTimes());
    return project(
        Projection.of(
            scope.all(),
            inputs -> " FROM " + function + inputs.get(0) + ", " + keys.sql() + ")",
            used));
  }

  /** Columns that decide whether a row is late, which the operator needs whoever else does. */
  private Set<Body.Use> eventTimes() {
    return step.outputs().stream()
        .filter(Output::isEventTime)
        .map(o -> new Body.Use(0, o.sqlName()))
        .collect(Collectors.toSet());
  }

  Step union(Step other) {
    return union(scope.all(), other, queries.scope(other).all());
  }

  private Step union(List<Item> left, Step other, List<Item> right) {
    if (left.size() != right.size()) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "A union needs as many columns on both sides; unionByName can fill in nulls.")
          .with("left", left.size())
          .with("right", right.size());
    }
    List<Item> behind = new ArrayList<>();
    for (int i = 0; i < right.size(); i++) {
      Set<Body.Use> uses =
          right.get(i).uses().stream()
              .map(u -> new Body.Use(1, u.column()))
              .collect(Collectors.toSet());
      behind.add(new Item(left.get(i).name(), right.get(i).sql(), uses, Optional.empty()));
    }
    Projection first = Projection.of(left, from(""), Set.of());
    Projection second = Projection.of(behind, names -> " FROM " + names.get(1), Set.of());
    return queries.select(List.of(step, other), new Union(first, second), first.outputs());
  }

  Step unionByName(Step other, boolean mayMiss) {
    Scope right = queries.scope(other);
    List<Item> lefts = new ArrayList<>(scope.all());
    List<Item> rights = new ArrayList<>();
    for (Item item : lefts) {
      rights.add(byName(right, item.name(), mayMiss));
    }
    for (Item item : right.all()) {
      if (lefts.stream().noneMatch(l -> l.name().equalsIgnoreCase(item.name()))) {
        lefts.add(byName(scope, item.name(), mayMiss));
        rights.add(item);
      }
    }
    return union(lefts, other, rights);
  }

  private static Item byName(Scope side, String name, boolean mayMiss) {
    Optional<Item> found =
        side.all().stream().filter(i -> i.name().equalsIgnoreCase(name)).findFirst();
    if (found.isEmpty() && !mayMiss) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "One side of a union by name lacks a column; allow missing columns to fill in nulls.")
          .with("column", name);
    }
    return found.orElse(new Item(name, "NULL", Set.of(), Optional.empty()));
  }

  Step crossJoin(Step right) {
    return new Joins(queries, step, right).on(new Written("", Set.of()), JoinType.CROSS);
  }

  Step join(Step right, List<String> columns, String type) {
    return new Joins(queries, step, right).using(columns, JoinType.of(type));
  }

  Step join(Step right, Column condition, String type) {
    Written written = queries.scopeOfJoin(step, right).written(condition.expression());
    return new Joins(queries, step, right).on(written, JoinType.of(type));
  }

  Step withWatermark(String column, String delay) {
    Named time = Named.of(column, Optional.empty());
    Written written = scope.written(time);
    String interval = Sql.text(functions.interval(delay));
    Step timed =
        project(
            Projection.of(
                scope.all(),
                names ->
                    " FROM with_watermark("
                        + names.get(0)
                        + ", "
                        + written.sql()
                        + ", INTERVAL "
                        + interval
                        + ")",
                written.uses()));
    String sqlName = scope.output(time).sqlName();
    return timed.withOutputs(
        timed.outputs().stream()
            .map(o -> o.sqlName().equals(sqlName) ? o.asEventTime() : o)
            .toList());
  }

  Step grouped(Grouping grouping, List<Column> keys, List<Column> aggregates) {
    List<Column> columns = new ArrayList<>(keys);
    columns.addAll(aggregates);
    Written by = scope.written(keys.stream().map(Column::expression).toList());
    return computed(scope.items(columns), grouping.clause(by.sql()), by.uses());
  }

  Step sorted(List<Column> keys) {
    List<Expression> orders = new ArrayList<>();
    for (Column key : keys) {
      boolean ordered = key.expression() instanceof Ordering;
      orders.add(ordered ? key.expression() : new Ordering(key.expression(), Ordering.ASCENDING));
    }
    Written by = scope.written(orders);
    Projection rows = Projection.of(scope.all(), from(" ORDER BY " + by.sql()), by.uses());
    return queries.select(List.of(step), new Sorted(rows), rows.outputs());
  }

  Step limit(int rows) {
    if (rows < 0) {
      throw new TidemillException(ErrorCode.ILLEGAL_QUERY, "A limit is zero or more rows.")
          .with("limit", rows);
    }
    Optional<Sorted> sorted = step.body().filter(Sorted.class::isInstance).map(Sorted.class::cast);
    return sorted.isPresent()
        ? queries.select(step.inputs(), sorted.get().limited(rows), step.outputs())
        : project(scope.all(), " LIMIT " + rows, Set.of());
  }
}

package io.tidemill.api;

import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Joins of two steps, which the SELECT calls l and r. */
final class Joins {
  private final Queries queries;
  private final Step left;
  private final Step right;

  Joins(Queries queries, Step left, Step right) {
    this.queries = queries;
    this.left = left;
    this.right = right;
  }

  /**
   * All columns of both sides.
   *
   * @param condition over l and r; empty for a cross join
   */
  Step on(Written condition, JoinType type) {
    List<Item> items = new ArrayList<>();
    for (Item item : queries.scopeOfJoin(left, right).all()) {
      if (!type.hasLeftOnly() || isLeft(item)) {
        items.add(item);
      }
    }
    return select(items, condition, type);
  }

  /** The columns of both sides, those that both are joined on once and first. */
  Step using(List<String> columns, JoinType type) {
    Scope lefts = queries.scope(left);
    Scope rights = queries.scope(right);
    List<String> conditions = new ArrayList<>();
    Set<Body.Use> used = new TreeSet<>();
    List<Item> items = new ArrayList<>();
    Set<Body.Use> joined = new TreeSet<>();
    for (String column : columns) {
      Named named = Named.of("`" + column + "`", Optional.empty());
      Output l = lefts.output(named);
      Output r = rights.output(named);
      String leftSql = "l." + Sql.name(l.sqlName());
      String rightSql = "r." + Sql.name(r.sqlName());
      conditions.add(leftSql + " = " + rightSql);
      joined.add(new Body.Use(0, l.sqlName()));
      joined.add(new Body.Use(1, r.sqlName()));
      items.add(
          switch (type) {
            case RIGHT ->
                new Item(r.name(), rightSql, Set.of(new Body.Use(1, r.sqlName())), Optional.of(r));
            case FULL ->
                new Item(
                    l.name(),
                    "coalesce(" + leftSql + ", " + rightSql + ")",
                    Set.of(new Body.Use(0, l.sqlName()), new Body.Use(1, r.sqlName())),
                    Optional.empty());
            default ->
                new Item(l.name(), leftSql, Set.of(new Body.Use(0, l.sqlName())), Optional.of(l));
          });
    }
    used.addAll(joined);
    for (Item item : queries.scopeOfJoin(left, right).all()) {
      boolean isKey = joined.containsAll(item.uses());
      if (!isKey && (!type.hasLeftOnly() || isLeft(item))) {
        items.add(item);
      }
    }
    return select(items, new Written(String.join(" AND ", conditions), used), type);
  }

  private static boolean isLeft(Item item) {
    return item.uses().stream().allMatch(u -> u.input() == 0);
  }

  private Step select(List<Item> items, Written condition, JoinType type) {
    String on = condition.sql().isEmpty() ? "" : " ON " + condition.sql();
    Function<List<String>, String> from =
        names ->
            " FROM " + names.get(0) + " AS l " + type.sql() + " " + names.get(1) + " AS r" + on;
    Projection projection = Projection.of(items, from, condition.uses());
    return queries.select(List.of(left, right), projection, projection.outputs());
  }
}

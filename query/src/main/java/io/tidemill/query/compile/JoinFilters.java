package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Moves conditions through the joins of a FROM clause to one of its tables, and adds what follows
 * from them there. Spark 4.2: PushPredicateThroughJoin, EliminateOuterJoin,
 * InferFiltersFromConstraints.
 */
final class JoinFilters {
  private final Context context;
  private final Members members;
  private final Scope scope;
  private final Select query;
  private final TableRef leaf;

  JoinFilters(Context context, Members members, Scope scope, Select query, TableRef leaf) {
    this.context = context;
    this.members = members;
    this.scope = scope;
    this.query = query;
    this.leaf = leaf;
  }

  /** Conditions that a row of the leaf must meet, over {@link Filters#ROW}. */
  List<JsonNode> at(List<JsonNode> conditions) {
    return descend(new TableRef(query.from()), conditions).stream()
        .map(c -> Members.renamed(c, i -> Filters.ROW))
        .toList();
  }

  private List<JsonNode> descend(TableRef ref, List<JsonNode> above) {
    if (!ref.isJoin()) {
      return only(withInferred(above), members.within(ref));
    }
    boolean left = Froms.contains(ref.left(), leaf);
    TableRef side = left ? ref.left() : ref.right();
    TableRef other = left ? ref.right() : ref.left();
    if (!ref.pairsByCondition()) {
      return List.of();
    }
    boolean preserves = ref.joinType().equals("LEFT") || ref.joinType().equals("RIGHT");
    boolean inner =
        ref.joinType().equals("INNER")
            || ref.joinType().equals("SEMI")
            || (preserves && demandsPartner(above, members.within(other)));
    List<JsonNode> all = new ArrayList<>(above);
    if (inner) {
      all.addAll(ofJoin(ref));
      unnested(other).ifPresent(all::add);
    }
    return descend(side, only(withInferred(all), members.within(side)));
  }

  private static List<JsonNode> only(List<JsonNode> conditions, Set<Integer> side) {
    return conditions.stream().filter(c -> side.containsAll(Members.used(c))).toList();
  }

  /** Conditions of ON and USING, and of the columns a natural join shares. */
  private List<JsonNode> ofJoin(TableRef join) {
    List<JsonNode> found = new ArrayList<>();
    join.condition()
        .ifPresent(
            on ->
                Conditions.split(on).stream()
                    .filter(c -> !context.sql.isRandom(c))
                    .forEach(
                        c ->
                            Qualifier.of(context, members, scope, c, name -> Optional.empty())
                                .ifPresent(q -> found.add(q.expression()))));
    Set<Integer> left = members.within(join.left());
    Set<Integer> right = members.within(join.right());
    List<String> shared = join.usingColumns();
    if (join.isNatural()) {
      shared = left.stream().flatMap(i -> names(i).stream()).distinct().toList();
    }
    for (String name : shared) {
      Optional<JsonNode> a = column(left, name);
      Optional<JsonNode> b = column(right, name);
      if (a.isPresent() && b.isPresent()) {
        found.add(Conditions.equal(a.get(), b.get()));
      }
    }
    return found;
  }

  private List<String> names(int member) {
    return members.list().get(member).columns().names();
  }

  private Optional<JsonNode> column(Set<Integer> side, String name) {
    return side.stream()
        .flatMap(
            i ->
                members.list().get(i).columns().find(name).stream()
                    .map(c -> Members.column(i, c.name())))
        .findFirst();
  }

  /** The condition of a join with the elements of a list: that there are some. */
  private Optional<JsonNode> unnested(TableRef other) {
    JsonNode call = other.function();
    if (other.isSubquery() && new TableRef(other.subquery().from()).isEmpty()) {
      List<JsonNode> items = other.subquery().selectList();
      call = items.size() == 1 ? items.get(0) : call;
    }
    return Tree.isUnnest(call)
        ? Unnesting.of(context, members, scope, query).hasElements(call)
        : Optional.empty();
  }

  /** Whether rows without a partner on the other side, all null there, are removed above. */
  private boolean demandsPartner(List<JsonNode> above, Set<Integer> other) {
    return above.stream().anyMatch(c -> isStrictOn(c, other) || isFalseOnNulls(c, other));
  }

  private static boolean isStrictOn(JsonNode condition, Set<Integer> side) {
    return Conditions.strictColumns(condition).stream()
        .anyMatch(c -> side.contains(Members.memberOf(c)));
  }

  private boolean isFalseOnNulls(JsonNode condition, Set<Integer> side) {
    Set<Integer> used = Members.used(condition);
    if (used.isEmpty() || !side.containsAll(used) || Conditions.holdsSubquery(condition)) {
      return false;
    }
    JsonNode nulls =
        Tree.replace(
            condition,
            n ->
                Members.memberOf(n) < 0
                    ? Optional.empty()
                    : Optional.of(context.nullOf(members.type(n), Tree.names(n).size() > 2)));
    try {
      String value = context.sql.scalar("SELECT " + context.sql.text(nulls));
      return value == null || value.equals("false");
    } catch (SqlMistake e) {
      // An expression that fails on nulls says nothing about rows without a partner.
      return false;
    }
  }

  private List<JsonNode> withInferred(List<JsonNode> conditions) {
    List<JsonNode> all = new ArrayList<>(conditions);
    for (JsonNode condition : conditions) {
      List<JsonNode> pair = Conditions.equalColumns(condition);
      for (JsonNode other : pair.isEmpty() ? List.<JsonNode>of() : conditions) {
        if (!Tree.same(other, condition) && !Conditions.holdsSubquery(other)) {
          addNew(all, exchanged(other, pair.get(0), pair.get(1)));
          addNew(all, exchanged(other, pair.get(1), pair.get(0)));
        }
      }
    }
    for (JsonNode condition : List.copyOf(all)) {
      for (JsonNode column : Conditions.strictColumns(condition)) {
        if (Members.memberOf(column) >= 0) {
          addNew(all, Conditions.isNotNull(column));
        }
      }
    }
    return all;
  }

  private static void addNew(List<JsonNode> all, JsonNode condition) {
    List<JsonNode> pair = Conditions.equalColumns(condition);
    boolean says = pair.isEmpty() || !Tree.same(pair.get(0), pair.get(1));
    if (says && all.stream().noneMatch(c -> Tree.same(c, condition))) {
      all.add(condition);
    }
  }

  private static JsonNode exchanged(JsonNode condition, JsonNode from, JsonNode to) {
    return Tree.replace(
        condition,
        n -> Tree.isColumn(n) && Tree.same(n, from) ? Optional.of(to) : Optional.empty());
  }
}

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.TableRef;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Moves conditions of one SELECT, and those of the queries around it, towards the streams: below a
 * grouping, where they make state smaller, and down to the streams, where rows that fail them do
 * not move the watermark. Each condition also stays where it was written, so that nothing else
 * changes. Spark 4.2: PushPredicateThroughNonJoin, InferFiltersFromGenerate; a condition moves only
 * if it gives the same for the same row each time.
 */
final class Filters {
  /** Name by which conditions over a relation call its rows. */
  static final String ROW = io.tidemill.query.plan.SourcePlan.ROW;

  private final Context context;
  private final Select query;
  private final Scope scope;

  /**
   * @param query the SELECT, where conditions were moved below its grouping
   * @param below conditions that each row of its FROM clause must meet, qualified
   * @param members empty if nothing can move further down
   */
  record Moved(Select query, Scope scope, List<JsonNode> below, Optional<Members> members) {
    /** What each row of a streaming part of the FROM clause must meet, over {@link #ROW}. */
    List<JsonNode> at(Context context, TableRef leaf) {
      return members
          .map(m -> new JoinFilters(context, m, scope, query, leaf).at(below))
          .orElse(List.of());
    }
  }

  private Filters(Context context, Select query, Scope scope) {
    this.context = context;
    this.query = query;
    this.scope = scope;
  }

  /**
   * @param above conditions over the query's output that a row must meet to count
   */
  static Moved move(Context context, Select query, Scope scope, List<JsonNode> above) {
    boolean something =
        !above.isEmpty()
            || query.where().isPresent()
            || query.having().isPresent()
            || new TableRef(query.from()).isJoin()
            || query.selectList().stream().anyMatch(i -> Conditions.holds(i, Tree::isUnnest));
    Optional<Members> members =
        something ? Members.of(context, new TableRef(query.from()), scope) : Optional.empty();
    return members
        .map(m -> new Filters(context, query, scope).move(m, above))
        .orElseGet(() -> new Moved(query, scope, List.of(), Optional.empty()));
  }

  /** Columns after an alias list, which may be shorter, is laid over them. */
  static List<String> aliased(List<String> columns, List<String> aliases) {
    List<String> names = new ArrayList<>(aliases);
    names.addAll(columns.subList(Math.min(aliases.size(), columns.size()), columns.size()));
    return names;
  }

  /** Conditions with columns renamed; those that use other columns are left out. */
  static List<JsonNode> renamed(List<JsonNode> conditions, List<String> from, List<String> to) {
    List<JsonNode> renamed = new ArrayList<>();
    for (JsonNode condition : conditions) {
      boolean[] known = {true};
      JsonNode changed =
          Tree.replace(
              condition,
              n -> {
                if (!Tree.isColumn(n) || !Tree.names(n).get(0).equals(ROW)) {
                  return Optional.empty();
                }
                List<String> names = new ArrayList<>(Tree.names(n));
                Optional<Integer> place =
                    IntStream.range(0, Math.min(from.size(), to.size()))
                        .filter(i -> from.get(i).equalsIgnoreCase(names.get(1)))
                        .boxed()
                        .findFirst();
                known[0] &= place.isPresent();
                place.ifPresent(i -> names.set(1, to.get(i)));
                return Optional.of(Tree.column(names.toArray(String[]::new)));
              });
      if (known[0]) {
        renamed.add(changed);
      }
    }
    return renamed;
  }

  private Moved move(Members members, List<JsonNode> above) {
    List<Qualifier.Qualified> passing = new ArrayList<>(outer(members, above));
    Select changed = query;
    if (Aggregates.isGrouped(context, query)) {
      if (!hasPlainKeys()) {
        passing.clear();
      } else {
        passing.addAll(having(members));
        changed = withWhere(members, passing);
      }
    }
    List<JsonNode> below = new ArrayList<>();
    query.where().ifPresent(w -> Conditions.split(w).forEach(c -> below.addAll(own(members, c))));
    passing.stream().filter(q -> !q.window()).forEach(q -> below.add(q.expression()));
    unnested(members).ifPresent(below::add);
    return new Moved(changed, scope, below, Optional.of(members));
  }

  /** A condition of WHERE; what stands in the select list can be used there too. */
  private List<JsonNode> own(Members members, JsonNode condition) {
    return qualified(members, condition)
        .filter(q -> !q.window())
        .map(Qualifier.Qualified::expression)
        .stream()
        .toList();
  }

  private Optional<Qualifier.Qualified> qualified(Members members, JsonNode expression) {
    return context.sql.isRandom(expression)
        ? Optional.empty()
        : Qualifier.of(context, members, scope, expression, this::item);
  }

  /** The item of the select list that is called so. */
  private Optional<JsonNode> item(String name) {
    return query.selectList().stream()
        .filter(i -> Tree.alias(i).equalsIgnoreCase(name))
        .findFirst();
  }

  /** A single set of grouping keys, so that a condition on keys decides whole groups. */
  private boolean hasPlainKeys() {
    boolean keys = query.groupByAll() || !query.groups().isEmpty();
    return keys && query.groupSets().size() <= 1;
  }

  private List<Qualifier.Qualified> having(Members members) {
    List<Qualifier.Qualified> found = new ArrayList<>();
    for (JsonNode part : query.having().map(Conditions::split).orElse(List.of())) {
      JsonNode condition = Aggregates.withoutAliases(part, query.selectList());
      if (isOfKeys(condition)) {
        qualified(members, condition)
            .filter(q -> moves(q.expression()) && namesColumns(q))
            .ifPresent(found::add);
      }
    }
    return found;
  }

  private static boolean namesColumns(Qualifier.Qualified condition) {
    return condition.window() || !Members.used(condition.expression()).isEmpty();
  }

  /** What is selected next to a grouping without an aggregate is made of keys. */
  private boolean isOfKeys(JsonNode expression) {
    return !Conditions.holds(
        expression,
        n ->
            Tree.isGrouping(n)
                || (Tree.isFunction(n) && context.sql.isAggregate(Tree.function(n))));
  }

  private boolean moves(JsonNode condition) {
    return context.sql.isConstantForRow(condition);
  }

  /** Conditions over the output in terms of the FROM clause. */
  private List<Qualifier.Qualified> outer(Members members, List<JsonNode> above) {
    boolean steady = query.selectList().stream().allMatch(this::moves);
    List<Qualifier.Qualified> found = new ArrayList<>();
    for (JsonNode condition : steady ? above : List.<JsonNode>of()) {
      translate(members, condition)
          .filter(q -> moves(q.expression()) && namesColumns(q))
          .ifPresent(found::add);
    }
    return found;
  }

  private Optional<Qualifier.Qualified> translate(Members members, JsonNode condition) {
    boolean[] state = {true, false};
    JsonNode translated =
        Tree.replace(
            condition,
            n -> {
              if (!Tree.isColumn(n) || !Tree.names(n).get(0).equals(ROW)) {
                return Optional.empty();
              }
              List<String> names = Tree.names(n);
              Optional<Qualifier.Qualified> value = output(members, names.get(1));
              state[0] &= value.isPresent();
              state[1] |= value.map(Qualifier.Qualified::window).orElse(false);
              return value.map(v -> fields(v.expression(), names.subList(2, names.size())));
            });
    return state[0] ? Optional.of(new Qualifier.Qualified(translated, state[1])) : Optional.empty();
  }

  private static JsonNode fields(JsonNode value, List<String> fields) {
    JsonNode inner = value;
    for (String field : fields) {
      if (Tree.isColumn(inner)) {
        List<String> names = new ArrayList<>(Tree.names(inner));
        names.add(field);
        inner = Tree.column(names.toArray(String[]::new));
      } else {
        inner = Tree.call("struct_extract", inner, Tree.text(field));
      }
    }
    return inner;
  }

  /** The expression behind an output column, if a condition can look through it. */
  private Optional<Qualifier.Qualified> output(Members members, String name) {
    for (JsonNode item : query.selectList()) {
      if (Tree.isStar(item)) {
        if (!Tree.isPlainStar(item)) {
          return Optional.empty();
        }
        List<String> names =
            Tree.starTable(item).isEmpty() ? List.of(name) : List.of(Tree.starTable(item), name);
        Optional<JsonNode> column = members.find(names);
        if (column.isPresent() && !Tree.excludes(item, name)) {
          return Optional.of(new Qualifier.Qualified(column.get(), false));
        }
      } else if (SelectCompiler.outputName(item).equalsIgnoreCase(name)) {
        return looksThrough(item) ? qualified(members, Tree.aliased(item, "")) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private boolean looksThrough(JsonNode item) {
    return isOfKeys(item) && !Conditions.holds(item, n -> Tree.isSubquery(n) || Tree.isUnnest(n));
  }

  /** The query with conditions on its keys also in front of the grouping. */
  private Select withWhere(Members members, List<Qualifier.Qualified> moved) {
    if (moved.isEmpty()) {
      return query;
    }
    List<JsonNode> conditions = new ArrayList<>();
    query.where().ifPresent(conditions::add);
    for (Qualifier.Qualified condition : moved) {
      if (!isHidden(members, condition.expression())) {
        conditions.add(Members.renamed(condition.expression(), i -> members.list().get(i).alias()));
      }
    }
    Select changed = Select.of(query.node().deepCopy());
    changed.setFrom(query.from());
    changed.setWhere(Conditions.all(Conditions.withoutImplied(conditions)));
    return changed;
  }

  /** Whether a subquery in the condition gives the name of a member it uses to another table. */
  private static boolean isHidden(Members members, JsonNode condition) {
    List<String> used =
        Members.used(condition).stream().map(i -> members.list().get(i).alias()).toList();
    return Conditions.holds(
        condition,
        n -> {
          TableRef ref = new TableRef(n);
          String name = ref.alias().isEmpty() ? ref.table() : ref.alias();
          return used.stream().anyMatch(u -> u.equalsIgnoreCase(name)) && !Tree.isExpression(n);
        });
  }

  /** A row whose only list to unnest is empty disappears. */
  private Optional<JsonNode> unnested(Members members) {
    List<JsonNode> calls = new ArrayList<>();
    query
        .selectList()
        .forEach(
            i ->
                Tree.walkExpression(
                    i,
                    n -> {
                      if (Tree.isUnnest(n)) {
                        calls.add(n);
                      }
                    }));
    return calls.size() == 1
        ? Unnesting.of(context, members, scope, query).hasElements(calls.get(0))
        : Optional.empty();
  }
}

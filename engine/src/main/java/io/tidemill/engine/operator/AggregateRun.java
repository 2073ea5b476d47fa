package io.tidemill.engine.operator;

import io.tidemill.engine.Duck;
import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.plan.StatefulOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Grouped aggregation over exported partial states. Spark 4.2: reference 5, 6.2: append emits a
 * group once, at eviction; update emits the groups of the batch; complete emits all and knows no
 * late rows.
 */
final class AggregateRun implements OperatorRun {
  private static final String EVICT = "_evict";
  private static final String ROWS = "__rows";
  private static final String BEFORE = "__before_";

  /** Types whose equal values are the same in every way, unlike 0.0 and -0.0. */
  private static final Pattern ONE_FORM =
      Pattern.compile(
          "BOOLEAN|U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|DECIMAL\\(.*\\)|DATE|TIME"
              + "|TIMESTAMP( WITH TIME ZONE|_S|_MS|_NS)?|VARCHAR|BLOB|UUID");

  private final Duck duck;
  private final int stage;
  private final StatefulOperator.Aggregate operator;
  private final BatchContext batch;
  private final KeyedState.Access access;
  private final List<String> keys;
  private final List<String> values;
  private final Optional<String> time;

  AggregateRun(
      Duck duck,
      int stage,
      StatefulOperator.Aggregate operator,
      BatchContext batch,
      KeyedState.Access access) {
    this.duck = duck;
    this.stage = stage;
    this.operator = operator;
    this.batch = batch;
    this.access = access;
    this.keys = operator.keys().stream().map(Column::name).toList();
    this.values = operator.aggregates().stream().map(AggregateState::name).toList();
    this.time = operator.mode() == OutputMode.COMPLETE ? Optional.empty() : operator.eventTime();
  }

  @Override
  public OperatorStats prepare(String segment, String part) {
    List<String> items = new ArrayList<>();
    boolean sets = operator.groupingSets().size() > 1;
    int plainKeys = sets ? keys.size() - 1 : keys.size();
    items.addAll(keys.subList(0, plainKeys));
    if (sets) {
      String all = String.join(", ", keys.subList(0, plainKeys));
      items.add("CAST(grouping(" + all + ") AS BIGINT) AS " + keys.get(plainKeys));
    }
    operator.aggregates().forEach(a -> items.add(a.partial() + " AS " + a.name()));
    items.add("count(*) AS " + ROWS);
    duck.create(
        part,
        "SELECT "
            + access.bucket(keys)
            + " AS _bucket, * FROM (SELECT "
            + String.join(", ", items)
            + " FROM ("
            + segment
            + ")"
            + groupBy(plainKeys)
            + ")");
    return dropLate(part);
  }

  private String groupBy(int plainKeys) {
    if (plainKeys == 0) {
      return "";
    }
    if (operator.groupingSets().size() == 1) {
      return " GROUP BY " + String.join(", ", keys);
    }
    return operator.groupingSets().stream()
        .map(s -> s.stream().map(keys::get).collect(Collectors.joining(", ", "(", ")")))
        .collect(Collectors.joining(", ", " GROUP BY GROUPING SETS (", ")"));
  }

  private OperatorStats dropLate(String part) {
    if (time.isEmpty() || batch.late().isNone()) {
      return new OperatorStats(stage, 0, 0, 0, 0);
    }
    String late = OperatorRun.atOrBefore(time.get(), batch.late());
    long rows = 0;
    List<List<Object>> groups =
        duck.rows(
            "DELETE FROM " + part + " WHERE " + late + " RETURNING " + ROWS, Integer.MAX_VALUE);
    for (List<Object> group : groups) {
      rows += ((Number) group.get(0)).longValue();
    }
    return new OperatorStats(stage, 0, 0, rows, groups.size());
  }

  @Override
  public OperatorStats run(List<String> parts, GoOn goOn) {
    KeyedState state = access.open(stage, layout(), keys, time.map(t -> EVICT));
    String changes = "__changes_" + stage;
    long updated = duck.together(() -> merge(parts, state, changes));
    boolean empty = operator.mode() == OutputMode.APPEND && !state.mayEvict(batch.eviction());
    goOn.accept("SELECT " + results() + " FROM " + emitted(state, changes, empty), empty);
    long removed =
        time.isPresent() && !batch.eviction().isNone() ? state.evict(batch.eviction()) : 0;
    return new OperatorStats(stage, updated, removed, 0, 0);
  }

  private Schema layout() {
    List<Column> columns = new ArrayList<>(operator.keys());
    operator.aggregates().forEach(a -> columns.add(Column.of(a.name(), a.storageType())));
    time.ifPresent(t -> columns.add(Column.of(EVICT, "TIMESTAMP")));
    return new Schema(columns);
  }

  /** Merges the batch's groups with their state; how many there are. */
  private long merge(List<String> parts, KeyedState state, String changes) {
    List<String> columns = new ArrayList<>(keys);
    columns.addAll(values);
    String list = columns.isEmpty() ? "1" : String.join(", ", columns);
    boolean eachOnce = parts.size() == 1 && !parts.get(0).startsWith(OperatorRun.MIXED);
    String touched = OperatorRun.union(parts.isEmpty() ? List.of(empty()) : parts, list);
    state.load(touchedKeys(touched), time.isPresent(), batch.eviction());
    String evict = time.map(t -> ", " + t + " AS " + EVICT).orElse("");
    boolean summed = eachOnce && state.rows() > 0 && sums(state);
    String merged =
        summed || (eachOnce && state.rows() == 0)
            ? touched
            : merged(touched, eachOnce, columns, state);
    long rows =
        duck.create(
            changes,
            "SELECT "
                + access.bucket(keys)
                + " AS _bucket, "
                + (summed ? summed() : "*")
                + evict
                + ", true AS _live FROM ("
                + merged
                + ")"
                + (summed ? " LEFT JOIN " + before(state) : ""));
    if (summed) {
      state.applyByRow(changes);
    } else {
      state.apply(changes);
    }
    return rows;
  }

  /** Whether a row of the batch and its row of the state merge without grouping, which is quick. */
  private boolean sums(KeyedState state) {
    return !keys.isEmpty()
        && operator.keys().stream().allMatch(k -> ONE_FORM.matcher(k.type()).matches())
        && operator.aggregates().stream().allMatch(a -> a.sum().isPresent())
        && !state.mayHoldNullKeys();
  }

  private String summed() {
    List<String> items = new ArrayList<>(keys);
    operator
        .aggregates()
        .forEach(
            a -> items.add(a.sumOf(BEFORE + a.name(), a.name()).orElseThrow() + " AS " + a.name()));
    items.add(KeyedState.ROW);
    return String.join(", ", items);
  }

  private String before(KeyedState state) {
    List<String> columns = new ArrayList<>(List.of("rowid AS " + KeyedState.ROW));
    keys.forEach(k -> columns.add(k + " AS " + BEFORE + k));
    values.forEach(v -> columns.add(v + " AS " + BEFORE + v));
    return "(SELECT "
        + String.join(", ", columns)
        + " FROM "
        + state.table()
        + ") ON "
        + keys.stream().map(k -> BEFORE + k + " = " + k).collect(Collectors.joining(" AND "));
  }

  private String touchedKeys(String touched) {
    return keys.isEmpty()
        ? "SELECT 1 AS one"
        : "SELECT "
            + String.join(", ", keys)
            + time.map(t -> ", " + t + " AS " + EVICT).orElse("")
            + " FROM ("
            + touched
            + ")";
  }

  private String merged(String touched, boolean eachOnce, List<String> columns, KeyedState state) {
    String all = touched;
    if (state.rows() > 0) {
      String batchKeys =
          eachOnce || keys.isEmpty()
              ? touched
              : "SELECT DISTINCT " + String.join(", ", keys) + " FROM (" + touched + ")";
      // State first: of what depends on the order of rows, older ones come before newer ones.
      all =
          "SELECT "
              + prefixed("s", columns)
              + " FROM "
              + state.table()
              + " AS s SEMI JOIN ("
              + batchKeys
              + ") AS b ON "
              + OperatorRun.sameKeys(prefixedList("s", keys), prefixedList("b", keys))
              + " UNION ALL "
              + touched;
    }
    List<String> items = new ArrayList<>(keys);
    operator.aggregates().forEach(a -> items.add(a.merged(a.name()) + " AS " + a.name()));
    return "SELECT "
        + String.join(", ", items)
        + " FROM ("
        + all
        + ")"
        + (keys.isEmpty() ? " HAVING count(*) > 0" : " GROUP BY " + String.join(", ", keys));
  }

  /** An empty table with the operator's columns, for a shard that got no rows. */
  private String empty() {
    String columns =
        layout().columns().stream()
            .map(c -> "CAST(NULL AS " + c.type() + ") AS " + c.name())
            .collect(Collectors.joining(", "));
    return "(SELECT " + columns + " WHERE false)";
  }

  private String emitted(KeyedState state, String changes, boolean empty) {
    return switch (operator.mode()) {
      case COMPLETE -> state.table();
      case UPDATE -> operator.global() ? state.table() : changes;
      case APPEND ->
          state.table()
              + " WHERE "
              + (empty ? "false" : OperatorRun.atOrBefore(EVICT, batch.eviction()));
    };
  }

  private String results() {
    List<String> items = new ArrayList<>(keys);
    operator.aggregates().forEach(a -> items.add(a.value(a.name()) + " AS " + a.name()));
    return items.isEmpty() ? "1 AS one" : String.join(", ", items);
  }

  private static String prefixed(String alias, List<String> names) {
    return names.isEmpty() ? "1" : String.join(", ", prefixedList(alias, names));
  }

  private static List<String> prefixedList(String alias, List<String> names) {
    return names.stream().map(n -> alias + "." + n).toList();
  }
}

package io.tidemill.engine.operator;

import io.tidemill.engine.Duck;
import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.StatefulOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The first row of each key passes. Spark 4.2: reference section 8. */
final class DeduplicateRun implements OperatorRun {
  private static final String EVICT = "_evict";

  private final Duck duck;
  private final int stage;
  private final StatefulOperator.Deduplicate operator;
  private final BatchContext batch;
  private final KeyedState.Access access;
  private final List<String> keys;
  private final List<String> stateKeys = new ArrayList<>();
  private final Optional<String> evict;

  DeduplicateRun(
      Duck duck,
      int stage,
      StatefulOperator.Deduplicate operator,
      BatchContext batch,
      KeyedState.Access access) {
    this.duck = duck;
    this.stage = stage;
    this.operator = operator;
    this.batch = batch;
    this.access = access;
    this.keys = operator.keys().stream().map(k -> Sql.name(k.name())).toList();
    for (int i = 0; i < keys.size(); i++) {
      stateKeys.add("k" + i);
    }
    this.evict =
        operator
            .expiryMillis()
            .map(m -> operator.eventTime().orElseThrow() + " + INTERVAL '" + m + " milliseconds'")
            .or(operator::evictKey);
  }

  @Override
  public OperatorStats prepare(String segment, String part) {
    String all = part + "_all";
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + all
            + " AS SELECT "
            + access.bucket(keys)
            + " AS _bucket, * FROM ("
            + segment
            + ")");
    long lateRows = 0;
    if (operator.eventTime().isPresent() && !batch.late().isNone()) {
      String late = OperatorRun.atOrBefore(operator.eventTime().get(), batch.late());
      lateRows = duck.number("SELECT count(*) FROM " + all + " WHERE " + late);
      if (lateRows > 0) {
        duck.execute("DELETE FROM " + all + " WHERE " + late);
      }
    }
    duck.execute("CREATE OR REPLACE TABLE " + part + " AS " + first("SELECT * FROM " + all));
    duck.drop(all);
    return new OperatorStats(stage, 0, 0, lateRows, lateRows);
  }

  @Override
  public OperatorStats run(List<String> parts, GoOn goOn) {
    KeyedState state = access.open(stage, layout(), stateKeys, evict.map(e -> EVICT));
    String columns =
        operator.columns().stream().map(c -> Sql.name(c.name())).collect(Collectors.joining(", "));
    String rows =
        parts.isEmpty()
            ? empty()
            : parts.size() == 1 && !parts.get(0).startsWith(OperatorRun.MIXED)
                ? "SELECT * FROM " + parts.get(0)
                : first(OperatorRun.union(parts, "*"));
    List<String> changed = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      changed.add(keys.get(i) + " AS k" + i);
    }
    evict.ifPresent(e -> changed.add(e + " AS " + EVICT));
    state.load(
        "SELECT " + String.join(", ", changed) + " FROM (" + rows + ")",
        operator.evictKey().isPresent() && operator.expiryMillis().isEmpty(),
        batch.eviction());
    String fresh = "__fresh_" + stage;
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + fresh
            + " AS SELECT r.* FROM ("
            + rows
            + ") AS r ANTI JOIN "
            + state.table()
            + " AS s ON "
            + OperatorRun.sameKeys(
                keys.stream().map(k -> "r." + k).toList(),
                stateKeys.stream().map(k -> "s." + k).toList()));
    String changes = "__changes_" + stage;
    long updated =
        duck.create(
            changes,
            "SELECT _bucket, " + String.join(", ", changed) + ", true AS _live FROM " + fresh);
    state.apply(changes);
    goOn.accept("SELECT " + columns + " FROM " + fresh, false);
    long removed =
        evict.isPresent() && !batch.eviction().isNone() ? state.evict(batch.eviction()) : 0;
    duck.drop(fresh);
    return new OperatorStats(stage, updated, removed, 0, 0);
  }

  /** The first row of each key, in the order of the rows. */
  private String first(String rows) {
    return "SELECT DISTINCT ON (" + String.join(", ", keys) + ") * FROM (" + rows + ")";
  }

  private Schema layout() {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      columns.add(Column.of("k" + i, operator.keys().get(i).type()));
    }
    evict.ifPresent(e -> columns.add(Column.of(EVICT, "TIMESTAMP")));
    return new Schema(columns);
  }

  private String empty() {
    return "SELECT CAST(0 AS USMALLINT) AS _bucket, "
        + operator.columns().stream()
            .map(c -> "CAST(NULL AS " + c.type() + ") AS " + Sql.name(c.name()))
            .collect(Collectors.joining(", "))
        + " WHERE false";
  }
}

package io.tidemill.engine.operator;

import io.tidemill.engine.Duck;
import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.StatefulOperator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The first rows of the query's life; state is how many went by. Spark 4.2: reference section 8.
 */
final class LimitRun implements OperatorRun {
  private static final Schema LAYOUT = Schema.of("k0", "TINYINT", "passed", "BIGINT");

  private final Duck duck;
  private final int stage;
  private final StatefulOperator.Limit operator;
  private final KeyedState.Access access;

  LimitRun(Duck duck, int stage, StatefulOperator.Limit operator, KeyedState.Access access) {
    this.duck = duck;
    this.stage = stage;
    this.operator = operator;
    this.access = access;
  }

  @Override
  public OperatorStats prepare(String segment, String part) {
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + part
            + " AS SELECT "
            + access.bucket(List.of())
            + " AS _bucket, * FROM ("
            + segment
            + ") LIMIT "
            + operator.rows());
    return new OperatorStats(stage, 0, 0, 0, 0);
  }

  @Override
  public OperatorStats run(List<String> parts, GoOn goOn) {
    String output = "__limited_" + stage;
    KeyedState state = access.open(stage, LAYOUT, List.of("k0"), Optional.empty());
    state.load("SELECT CAST(0 AS TINYINT) AS k0", false, Watermark.NONE);
    long passed = duck.number("SELECT coalesce(sum(passed), 0)::BIGINT FROM " + state.table());
    String columns =
        operator.columns().stream().map(c -> Sql.name(c.name())).collect(Collectors.joining(", "));
    String rows =
        parts.isEmpty()
            ? operator.columns().stream()
                .map(c -> "CAST(NULL AS " + c.type() + ") AS " + Sql.name(c.name()))
                .collect(Collectors.joining(", ", "SELECT ", " WHERE false"))
            : OperatorRun.union(parts, columns);
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + output
            + " AS SELECT * FROM ("
            + rows
            + ") LIMIT "
            + Math.max(0, operator.rows() - passed));
    long more = duck.number("SELECT count(*) FROM " + output);
    if (more > 0) {
      String changes = "__changes_" + stage;
      duck.execute(
          "CREATE OR REPLACE TABLE "
              + changes
              + " AS SELECT "
              + access.bucket(List.of())
              + " AS _bucket, CAST(0 AS TINYINT) AS k0, CAST("
              + (passed + more)
              + " AS BIGINT) AS passed, true AS _live");
      state.apply(changes);
    }
    goOn.accept("SELECT * FROM " + output, false);
    duck.drop(output);
    return new OperatorStats(stage, more > 0 ? 1 : 0, 0, 0, 0);
  }
}

package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.plan.Fingerprint;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.plan.Trigger;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangedPlanTest {
  @Test
  void sourcesOperatorsAndModeAreSaidInWords() {
    assertThat(Fingerprint.parts(plan(sum("sum(amount)"), "f")))
        .containsEntry("output mode", "update")
        .containsEntry("source 0", "fake stream s0")
        .containsEntry("operator 1", "aggregate by k0 VARCHAR: sum(amount) kept as DECIMAL(38,0)");
    assertThat(Fingerprint.parts(plan(deduplicate(Optional.empty()), "f")))
        .containsEntry("operator 1", "deduplicate by a INTEGER, b VARCHAR");
    assertThat(Fingerprint.parts(plan(deduplicate(Optional.of(5L)), "f")))
        .containsEntry("operator 1", "deduplicate within the watermark by a INTEGER, b VARCHAR");
    assertThat(Fingerprint.parts(plan(new StatefulOperator.Limit(List.of(), 3), "f")))
        .containsEntry("operator 1", "limit 3");
  }

  @Test
  void aJobWhoseAggregateChangedIsRefusedWithBothInWords() {
    Mill mill = new Mill(plan(sum("sum(amount)"), "f1"));
    mill.source().add(1);
    mill.openAndRun();
    mill.plan = plan(sum("avg(amount)"), "f2");

    assertThatThrownBy(mill::open)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH);
              assertThat(e.fields().get("operator 1").toString())
                  .contains("sum(amount)")
                  .contains("avg(amount)");
            });
  }

  private static StatefulOperator sum(String call) {
    return new StatefulOperator.Aggregate(
        List.of(Column.of("k0", "VARCHAR")),
        List.of(
            new AggregateState(
                "a0", call, "DECIMAL(38,0)", "", "", Optional.empty(), "", "BIGINT")),
        List.of(List.of(0)),
        false,
        Optional.empty(),
        OutputMode.UPDATE);
  }

  private static StatefulOperator deduplicate(Optional<Long> expiry) {
    List<Column> keys = List.of(Column.of("a", "INTEGER"), Column.of("b", "VARCHAR"));
    return new StatefulOperator.Deduplicate(keys, keys, Optional.empty(), Optional.empty(), expiry);
  }

  private static QueryPlan plan(StatefulOperator operator, String fingerprint) {
    QueryPlan plan =
        Plans.stateful(1, operator, OutputMode.UPDATE, Plans.settings(Trigger.availableNow()));
    return new QueryPlan(
        plan.name(),
        plan.mode(),
        plan.sources(),
        plan.tables(),
        plan.stages(),
        plan.sinks(),
        plan.output(),
        plan.settings(),
        fingerprint);
  }
}

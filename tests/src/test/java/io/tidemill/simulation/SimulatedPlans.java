package io.tidemill.simulation;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.query.plan.SinkPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.plan.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The plans that are simulated: copy rows, or count them by key in update mode. */
final class SimulatedPlans {
  private SimulatedPlans() {}

  static QueryPlan of(SimulatedQuery query, Trigger trigger) {
    SourcePlan source =
        new SourcePlan(
            0,
            "rows",
            spec("stream rows"),
            Schema.EMPTY,
            new SourcePlan.Malformed.Fail(),
            Optional.of(new SourcePlan.EventTime("ts", 10)),
            Set.of(),
            List.of());
    return new QueryPlan(
        query.name(),
        OutputMode.UPDATE,
        List.of(source),
        List.of(),
        query.isStateful()
            ? List.of(read(OptionalInt.of(Counts.OPERATOR)), count(query.grouping()))
            : List.of(read(OptionalInt.empty())),
        List.of(new SinkPlan("out", spec("sink out"), OutputMode.UPDATE, Schema.EMPTY)),
        Schema.EMPTY,
        new QuerySettings(trigger, "", true, "min", 0, query.retainBatches(), query.form()),
        "simulated");
  }

  private static Stage read(OptionalInt consumer) {
    return new Stage(0, OptionalInt.of(0), List.of(), Optional.empty(), "", consumer, false);
  }

  private static Stage count(Grouping grouping) {
    StatefulOperator operator =
        new StatefulOperator.Aggregate(
            List.of(Column.of("k0", "VARCHAR")),
            List.of(),
            List.of(List.of(0)),
            false,
            grouping == Grouping.WINDOW ? Optional.of("k0") : Optional.empty(),
            OutputMode.UPDATE);
    return new Stage(
        Counts.OPERATOR,
        OptionalInt.empty(),
        List.of(0),
        Optional.of(operator),
        "",
        OptionalInt.empty(),
        false);
  }

  private static ConnectorSpec spec(String owner) {
    return new ConnectorSpec(owner, SimulatedConnectors.NAME, Map.of(), Map.of());
  }
}

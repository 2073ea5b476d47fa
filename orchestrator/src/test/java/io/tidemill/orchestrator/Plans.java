package io.tidemill.orchestrator;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Plans for tests: sources named s0, s1, …, one sink named out, both of connector "fake". */
final class Plans {
  static final long DELAY_MILLIS = 10;

  private Plans() {}

  /** One source without event time, one stage. */
  static QueryPlan stateless(Trigger trigger) {
    Stage stage =
        new Stage(
            0, OptionalInt.of(0), List.of(), Optional.empty(), "", OptionalInt.empty(), false);
    return plan(1, false, List.of(stage), OutputMode.APPEND, settings(trigger));
  }

  /** Sources with event times, and one aggregation over all of them. */
  static QueryPlan aggregate(int sources, OutputMode mode, QuerySettings settings) {
    StatefulOperator operator =
        new StatefulOperator.Aggregate(
            List.of(Column.of("k0", "TIMESTAMP")),
            List.of(),
            List.of(List.of(0)),
            false,
            Optional.of("k0"),
            mode);
    return stateful(sources, operator, mode, settings);
  }

  /** Sources with event times, and one operator over all of them. */
  static QueryPlan stateful(
      int sources, StatefulOperator operator, OutputMode mode, QuerySettings settings) {
    List<Stage> stages = new ArrayList<>();
    List<Integer> inputs = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      stages.add(
          new Stage(
              i,
              OptionalInt.of(i),
              List.of(),
              Optional.empty(),
              "",
              OptionalInt.of(sources),
              false));
      inputs.add(i);
    }
    stages.add(
        new Stage(
            sources,
            OptionalInt.empty(),
            inputs,
            Optional.of(operator),
            "",
            OptionalInt.empty(),
            false));
    return plan(sources, true, stages, mode, settings);
  }

  static QuerySettings settings(Trigger trigger) {
    return QuerySettings.DEFAULT.withTrigger(trigger);
  }

  static QuerySettings settings(Trigger trigger, String policy, long idleTimeoutMillis) {
    return new QuerySettings(trigger, "", true, policy, idleTimeoutMillis, 100);
  }

  private static QueryPlan plan(
      int sources, boolean timed, List<Stage> stages, OutputMode mode, QuerySettings settings) {
    List<SourcePlan> sourcePlans = new ArrayList<>();
    for (int i = 0; i < sources; i++) {
      sourcePlans.add(
          new SourcePlan(
              i,
              "s" + i,
              spec("stream s" + i, Map.of("name", "s" + i)),
              Schema.EMPTY,
              new SourcePlan.Malformed.Fail(),
              timed ? Optional.of(new SourcePlan.EventTime("ts", DELAY_MILLIS)) : Optional.empty(),
              Set.of(),
              List.of()));
    }
    return new QueryPlan(
        "out",
        mode,
        sourcePlans,
        List.of(),
        stages,
        List.of(new SinkPlan("out", spec("sink out", Map.of()), mode, Schema.EMPTY)),
        Schema.EMPTY,
        settings,
        "fingerprint");
  }

  private static ConnectorSpec spec(String owner, Map<String, String> options) {
    return new ConnectorSpec(owner, "fake", options, Map.of());
  }
}

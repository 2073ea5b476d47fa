package io.tidemill.query.compile;

import io.tidemill.query.plan.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Cuts a relation at its operators: each branch becomes a stage, in order of running. */
final class StagePlanner {
  private final List<Stage> stages = new ArrayList<>();
  private final Map<Integer, Integer> consumers = new HashMap<>();

  private StagePlanner() {}

  static List<Stage> stages(Relation result) {
    StagePlanner planner = new StagePlanner();
    result.branches().forEach(planner::stage);
    return planner.stages.stream()
        .map(
            s ->
                new Stage(
                    s.id(),
                    s.source(),
                    s.inputs(),
                    s.operator(),
                    s.segment(),
                    planner.consumers.containsKey(s.id())
                        ? OptionalInt.of(planner.consumers.get(s.id()))
                        : OptionalInt.empty(),
                    s.single()))
        .toList();
  }

  private int stage(Origin.Branch branch) {
    if (branch.origin() instanceof Origin.Scan scan) {
      return add(OptionalInt.of(scan.source()), List.of(), Optional.empty(), branch.sql());
    }
    Origin.Operator operator = (Origin.Operator) branch.origin();
    List<Integer> inputs = operator.inputs().stream().map(this::stage).toList();
    int id = stages.size();
    inputs.forEach(input -> consumers.put(input, id));
    boolean single = operator.operator().isEmpty() || operator.operator().get().keys().isEmpty();
    stages.add(
        new Stage(
            id,
            OptionalInt.empty(),
            inputs,
            operator.operator(),
            branch.sql(),
            OptionalInt.empty(),
            single));
    return id;
  }

  private int add(
      OptionalInt source,
      List<Integer> inputs,
      Optional<io.tidemill.query.plan.StatefulOperator> operator,
      String segment) {
    int id = stages.size();
    stages.add(new Stage(id, source, inputs, operator, segment, OptionalInt.empty(), false));
    return id;
  }
}

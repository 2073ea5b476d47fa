package io.tidemill.orchestrator;

import io.tidemill.checkpoint.PlanIdentity;
import io.tidemill.protocol.schema.Column;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Says in words what a plan's fingerprint is made of. */
final class PlanDescription {
  private PlanDescription() {}

  static PlanIdentity of(QueryPlan plan) {
    Map<String, String> parts = new TreeMap<>();
    parts.put("output mode", plan.mode().text());
    for (SourcePlan source : plan.sources()) {
      parts.put(
          "source " + source.index(),
          source.connector().connector() + " stream " + source.stream());
    }
    for (Stage stage : plan.stateful()) {
      parts.put("operator " + stage.id(), operator(stage.operator().orElseThrow()));
    }
    return new PlanIdentity(plan.fingerprint(), parts);
  }

  private static String operator(StatefulOperator operator) {
    if (operator instanceof StatefulOperator.Aggregate aggregate) {
      return "aggregate by "
          + columns(aggregate.keys())
          + ": "
          + aggregate.aggregates().stream()
              .map(a -> a.call() + " kept as " + a.storageType())
              .collect(Collectors.joining(", "));
    }
    if (operator instanceof StatefulOperator.Deduplicate deduplicate) {
      return (deduplicate.expiryMillis().isPresent()
              ? "deduplicate within the watermark by "
              : "deduplicate by ")
          + columns(deduplicate.keys());
    }
    if (operator instanceof StatefulOperator.Limit limit) {
      return "limit " + limit.rows();
    }
    return operator.sparkName() + " by " + columns(operator.keys());
  }

  private static String columns(List<Column> columns) {
    return columns.isEmpty()
        ? "nothing"
        : columns.stream().map(c -> c.name() + " " + c.type()).collect(Collectors.joining(", "));
  }
}

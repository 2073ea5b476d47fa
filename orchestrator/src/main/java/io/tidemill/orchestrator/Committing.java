package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.GarbageCollector;
import io.tidemill.checkpoint.InputActivity;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Works out what is committed with a batch. */
final class Committing {
  private final QueryPlan plan;
  private final Watermarks watermarks;

  Committing(QueryPlan plan, Watermarks watermarks) {
    this.plan = plan;
    this.watermarks = watermarks;
  }

  /** State files that no retained version reads are no longer named. */
  Committed after(Committed before, PlannedBatch batch, BatchResult result) {
    List<InputActivity> inputs =
        Watermarks.after(before.inputs(), result.sources(), batch.timestampMillis());
    Map<Integer, StateVersion> state = state(before, batch, result);
    return new Committed(
        Optional.of(batch.batch()),
        batch.sources().stream().map(PlannedSource::end).toList(),
        inputs,
        batch.eviction(),
        watermarks.global(batch.eviction(), inputs),
        GarbageCollector.forget(state, batch.batch(), plan.settings().retainBatches()),
        Sinks.publication(plan, result.outputs()));
  }

  private Map<Integer, StateVersion> state(
      Committed before, PlannedBatch batch, BatchResult result) {
    Map<Integer, StateVersion> state = new TreeMap<>(before.state());
    for (Stage stage : plan.stateful()) {
      if (result.shards().containsKey(stage.id())) {
        StateVersion version = before.state(stage.id());
        state.put(
            stage.id(),
            version.apply(
                result.state().getOrDefault(stage.id(), List.of()),
                evictedTo(stage.operator().orElseThrow(), version, batch),
                batch.batch().value()));
      }
    }
    return state;
  }

  /** Complete mode keeps every group for ever. */
  private static Watermark evictedTo(
      StatefulOperator operator, StateVersion version, PlannedBatch batch) {
    boolean keepsAll =
        operator instanceof StatefulOperator.Aggregate a && a.mode() == OutputMode.COMPLETE;
    return keepsAll ? version.evictedTo() : batch.eviction();
  }
}

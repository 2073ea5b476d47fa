package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.HistoryEntry;
import io.tidemill.checkpoint.LayoutRecords;
import io.tidemill.checkpoint.Opening;
import io.tidemill.checkpoint.OwnedHead;
import io.tidemill.checkpoint.PlanIdentity;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.checkpoint.SharedSettings;
import io.tidemill.connectors.SinkContext;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.query.plan.Fingerprint;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.QuerySettings;
import java.util.List;

/** Everything a query loop works with, opened for one run. */
record RunParts(
    QueryPlan plan,
    RunEnvironment environment,
    OrchestratorSettings settings,
    OwnedHead head,
    Sources sources,
    Sinks sinks,
    BatchPlanner planner,
    Layouts layouts,
    Pacing pacing,
    Committing committing,
    Housekeeping housekeeping,
    ProgressReport report,
    Events events,
    Control control,
    Runnable wake)
    implements AutoCloseable {

  /**
   * Reads the head, opens sources, and works out where a new query starts. Writes nothing to the
   * checkpoint. Sinks are opened before the first batch is fixed; those of a new query at once, so
   * that a target that cannot be written shows when the query is started, data or not.
   *
   * @param wake called from any thread when a task is done
   */
  static RunParts open(
      RunSpec spec, RunEnvironment environment, String runId, Control control, Runnable wake) {
    QueryPlan plan = spec.plan();
    OwnedHead head =
        OwnedHead.open(
            new HeadStore(environment.checkpoint(), environment.register()),
            opening(spec, environment, runId));
    Sources sources =
        Sources.open(plan, environment.connectors(), environment.checkpoint(), environment.ids());
    try {
      if (head.isNew()) {
        head.start(Committed.start(sources.initial(), environment.clock().millis()));
      }
      return assemble(spec, environment, runId, control, wake, head, sources);
    } catch (RuntimeException e) {
      throw Closing.allBecauseOf(e, List.of(sources));
    }
  }

  private static Opening opening(RunSpec spec, RunEnvironment environment, String runId) {
    QuerySettings settings = spec.plan().settings();
    return new Opening(
        spec.plan().name(),
        new PlanIdentity(spec.plan().fingerprint(), Fingerprint.parts(spec.plan())),
        SharedSettings.of(settings.watermarkPolicy()),
        environment.owner() + "/" + runId,
        environment.probe(),
        spec.force(),
        spec.settings().leaseMillis(),
        environment.clock(),
        environment.ids());
  }

  private static RunParts assemble(
      RunSpec spec,
      RunEnvironment environment,
      String runId,
      Control control,
      Runnable wake,
      OwnedHead owned,
      Sources sources) {
    QueryPlan plan = spec.plan();
    Head head = owned.head();
    Watermarks watermarks = new Watermarks(plan);
    Layouts layouts = new Layouts(plan, spec.settings(), environment.invoker().parallelism());
    List<SourcePosition> known =
        head.planned()
            .map(p -> p.sources().stream().map(PlannedSource::end).toList())
            .orElse(head.committed().positions());
    BatchPlanner planner = new BatchPlanner(plan, sources, watermarks, layouts, known);
    Sinks sinks =
        new Sinks(
            plan,
            environment.connectors(),
            new SinkContext(head.query(), plan.name(), environment.checkpoint()));
    if (owned.isNew()) {
      sinks.open();
    }
    return new RunParts(
        plan,
        environment,
        spec.settings(),
        owned,
        sources,
        sinks,
        planner,
        layouts,
        new Pacing(plan.settings().trigger(), spec.settings()),
        new Committing(plan, watermarks),
        new Housekeeping(
            environment.checkpoint(),
            environment.register(),
            spec.settings(),
            plan.settings().retainBatches()),
        new ProgressReport(plan, sources, head.query(), runId),
        new Events(spec, environment.clock(), head.query(), runId),
        control,
        wake);
  }

  long now() {
    return environment.clock().millis();
  }

  BatchTimes times(long previousStartMillis) {
    return new BatchTimes(environment.clock(), previousStartMillis);
  }

  /** Starts a batch that is planned in the head. */
  BatchRun start(PlannedBatch batch, boolean replay) {
    Head before = head.head();
    TaskRequests requests =
        new TaskRequests(
            plan,
            before,
            batch,
            environment.checkpoint().location(),
            environment.ids(),
            settings.inlineShuffleBytes(),
            replay);
    return new BatchRun(
        plan,
        batch,
        before.committed(),
        before.timeline(),
        requests,
        layouts,
        new LayoutRecords(environment.checkpoint()),
        tasks ->
            new TaskGroup(
                environment.invoker(),
                environment.ids(),
                environment.clock(),
                settings,
                wake,
                tasks));
  }

  HistoryEntry entry(BatchId batch, QueryProgress progress) {
    return new HistoryEntry(head.head().timeline(), batch, Json.tree(progress));
  }

  @Override
  public void close() {
    Closing.all(List.of(sources, sinks));
  }
}

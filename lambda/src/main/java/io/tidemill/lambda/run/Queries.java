package io.tidemill.lambda.run;

import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.Opening;
import io.tidemill.checkpoint.OwnedHead;
import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.checkpoint.PlanIdentity;
import io.tidemill.checkpoint.SharedSettings;
import io.tidemill.checkpoint.StoredHead;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.message.OrchestratorEvent;
import io.tidemill.lambda.platform.Platform;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.Fingerprint;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Trigger;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs queries, and holds and releases them. Used by one thread. */
final class Queries {
  /** The owner of a query that somebody stopped. */
  static final String STOPPED = "stopped";

  /** Long enough for everybody who could start it again by accident to be gone. */
  private static final long STOPPED_MILLIS = Duration.ofDays(36_500).toMillis();

  /** A trigger with a longer interval is left to the schedule; shorter ones loop inside. */
  private static final long LOOP_MILLIS_MAX = 60_000;

  /** In Lambda another instance may have more luck, so tasks are tried more often than locally. */
  private static final int TASK_RETRIES_MAX = 5;

  private static final long STRAGGLER_MIN_MILLIS = 10_000;

  private final Platform platform;
  private final TaskInvokers invokers;
  private final Self self;

  Queries(Platform platform, TaskInvokers invokers, Self self) {
    this.platform = platform;
    this.invokers = invokers;
    this.self = self;
  }

  RunAnswer trigger(JobReference job, OrchestratorEvent asked, Call call)
      throws InterruptedException {
    RunTotals totals = new RunTotals();
    RunReport report =
        new RunReport(
            platform.metrics(), platform.clock(), platform.clients().calls(), job.query(), totals);
    try {
      RunAnswer.Outcome outcome =
          platform.references().withCurrentValues(() -> run(job, asked, call, totals), () -> {});
      return report.ended(totals.answer(job.query(), outcome));
    } catch (TidemillException e) {
      if (e.category() != Category.FENCED) {
        // A secret may have been rotated.
        platform.references().forget();
        report.failed(e);
        throw e;
      }
      return report.ended(totals.answer(job.query(), fenced(e)));
    }
  }

  private RunAnswer.Outcome run(
      JobReference job, OrchestratorEvent asked, Call call, RunTotals totals)
      throws InterruptedException {
    QueryPlan plan = looping(platform.jobs().plan(job));
    try (Store checkpoint = open(plan);
        Invoker invoker = invokers.open(job, checkpoint)) {
      RunSpec spec =
          new RunSpec(plan, settings(), List.of(totals), asked.force(), asked.continued());
      TriggeredRun run =
          new TriggeredRun(
              spec,
              environment(checkpoint, invoker, call),
              call.remainingMillis(),
              platform.environment().stopMarginSeconds() * 1_000L);
      boolean ended = run.run();
      if (!ended) {
        boolean afterBatch = asked.continued() || run.hasRunBatch();
        self.invokeLater(call.functionArn(), OrchestratorEvent.rest(job, afterBatch));
      }
      return ended ? RunAnswer.Outcome.DONE : RunAnswer.Outcome.CONTINUED;
    }
  }

  private static RunAnswer.Outcome fenced(TidemillException fenced) {
    Object owner = fenced.fields().get("owner");
    if (owner == null) {
      return RunAnswer.Outcome.FENCED;
    }
    return owner.equals(STOPPED) ? RunAnswer.Outcome.STOPPED : RunAnswer.Outcome.ACTIVE;
  }

  private static QueryPlan looping(QueryPlan plan) {
    Trigger trigger = plan.settings().trigger();
    boolean scheduled =
        trigger.kind() == Trigger.Kind.PROCESSING_TIME
            && trigger.intervalMillis() >= LOOP_MILLIS_MAX;
    return scheduled
        ? plan.withSettings(plan.settings().withTrigger(Trigger.availableNow()))
        : plan;
  }

  private OrchestratorSettings settings() {
    OrchestratorSettings standard = OrchestratorSettings.DEFAULT;
    return new OrchestratorSettings(
        platform.environment().wholeBatchRows(),
        platform.environment().shardRows(),
        TASK_RETRIES_MAX,
        standard.retryDelayMillis(),
        platform.environment().leaseSeconds() * 1_000L,
        standard.pollMinMillis(),
        standard.pollMaxMillis(),
        standard.idleEventMillis(),
        standard.recentProgressMax(),
        standard.collectEveryBatches(),
        STRAGGLER_MIN_MILLIS,
        platform.environment().inlineShuffleBytes());
  }

  private RunEnvironment environment(Store checkpoint, Invoker invoker, Call call) {
    return new RunEnvironment(
        platform.connectors(),
        checkpoint.blob(),
        checkpoint.register(),
        invoker,
        platform.clock(),
        platform.ids(),
        call.functionArn(),
        OwnerProbe.UNKNOWN);
  }

  private Store open(QueryPlan plan) {
    String location = plan.settings().checkpoint();
    if (location.isEmpty()) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION,
              "The job names no checkpoint, where its progress is kept. Add SET checkpoint ="
                  + " 's3://BUCKET/PREFIX'.")
          .with("query", plan.name());
    }
    return platform.locations().store(Locations.child(location, plan.name()));
  }

  PlanAnswer plan(JobReference job) {
    QueryPlan plan = platform.jobs().plan(job);
    try (Store checkpoint = open(plan)) {
      return PlanAnswer.of(plan, head(checkpoint), platform.connectors());
    }
  }

  StatusAnswer status(JobReference job) {
    QueryPlan plan = platform.jobs().plan(job);
    try (Store checkpoint = open(plan)) {
      return StatusAnswer.of(plan.name(), head(checkpoint));
    }
  }

  private static Optional<StoredHead> head(Store checkpoint) {
    return new HeadStore(checkpoint.blob(), checkpoint.register()).read();
  }

  /**
   * Takes the query over and keeps the lease: an active run is fenced at its next write and no
   * trigger begins another. What the run had planned stays planned.
   */
  RunAnswer stop(JobReference job) {
    QueryPlan plan = platform.jobs().plan(job);
    try (Store checkpoint = open(plan)) {
      if (head(checkpoint).isEmpty()) {
        throw new TidemillException(
                ErrorCode.UNKNOWN_NAME,
                "The query has never run, so there is nothing to stop. Remove its schedule to keep"
                    + " it from running.")
            .with("query", plan.name());
      }
      OwnedHead.open(
              new HeadStore(checkpoint.blob(), checkpoint.register()),
              opening(plan, STOPPED, STOPPED_MILLIS))
          .takeOver();
      return RunAnswer.nothingDone(plan.name(), RunAnswer.Outcome.STOPPED);
    }
  }

  /** Gives the lease back if the query was stopped; does nothing otherwise. */
  RunAnswer start(JobReference job) {
    QueryPlan plan = platform.jobs().plan(job);
    try (Store checkpoint = open(plan)) {
      boolean stopped =
          head(checkpoint).map(h -> h.head().lease().owner().equals(STOPPED)).orElse(false);
      if (stopped) {
        OwnedHead head =
            OwnedHead.open(
                new HeadStore(checkpoint.blob(), checkpoint.register()), opening(plan, "start", 1));
        head.takeOver();
        head.end(head.head());
      }
      return RunAnswer.nothingDone(plan.name(), RunAnswer.Outcome.STARTABLE);
    }
  }

  private Opening opening(QueryPlan plan, String owner, long leaseMillis) {
    return new Opening(
        plan.name(),
        new PlanIdentity(plan.fingerprint(), Fingerprint.parts(plan)),
        SharedSettings.of(plan.settings().watermarkPolicy()),
        owner,
        OwnerProbe.UNKNOWN,
        true,
        leaseMillis,
        platform.clock(),
        platform.ids());
  }
}

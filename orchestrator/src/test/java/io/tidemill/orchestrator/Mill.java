package io.tidemill.orchestrator;

import io.tidemill.checkpoint.CheckpointView;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.Ids;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A query with fake sources, functions and sink, run step by step on a clock moved by hand. */
final class Mill {
  static final long START_MILLIS = 1_000_000;

  final ManualClock clock = new ManualClock(START_MILLIS);
  final MemoryBlob blob = new MemoryBlob();
  final CountingRegister register = new CountingRegister();
  final Map<String, FakeSource> sources = new TreeMap<>();
  final FakeSink sink = new FakeSink();
  final FakeFunctions functions;
  final List<QueryProgress> progress = new ArrayList<>();
  final List<String> idleAt = new ArrayList<>();
  OrchestratorSettings settings = OrchestratorSettings.DEFAULT;
  QueryPlan plan;
  boolean force;
  boolean continued;
  private int owners;

  Mill(QueryPlan plan) {
    this.plan = plan;
    plan.sources().forEach(s -> sources.put(s.stream(), new FakeSource()));
    this.functions = new FakeFunctions(plan, sources, blob);
  }

  FakeSource source() {
    return sources.get("s0");
  }

  FakeSource source(int index) {
    return sources.get("s" + index);
  }

  RunEnvironment environment() {
    String owner = "owner" + owners++;
    Ids ids =
        new Ids() {
          private int count;

          @Override
          public synchronized String next() {
            return owner + "-" + count++;
          }
        };
    return new RunEnvironment(
        FakeConnectors.of(sources, sink),
        blob,
        register,
        functions,
        clock,
        ids,
        owner,
        OwnerProbe.UNKNOWN);
  }

  RunSpec spec() {
    return new RunSpec(plan, settings, List.of(listener()), force, continued);
  }

  private StreamingQueryListener listener() {
    return new StreamingQueryListener() {
      @Override
      public void onQueryProgress(QueryProgressEvent event) {
        progress.add(event.progress());
      }

      @Override
      public void onQueryIdle(QueryIdleEvent event) {
        idleAt.add(event.timestamp());
      }
    };
  }

  SteppedRun open() {
    return SteppedRun.open(spec(), environment(), () -> {});
  }

  /** Opens and steps until there is nothing to do without waiting. */
  SteppedRun openAndRun() {
    SteppedRun run = open();
    run(run);
    return run;
  }

  /** Opens a run that is at the first of three batches, whose task is held. */
  SteppedRun openWithFirstOfThreeHeld() {
    source().limit = 1;
    source().add(1, 2, 3);
    functions.hold = true;
    return openAndRun();
  }

  /** Lets the first task that was held have its result. */
  void finishFirst() {
    functions.held.get(0).complete(functions.run(functions.requests.get(0)));
  }

  /** Opens a run that has just committed the first of three batches; all tasks are held. */
  SteppedRun openAndCommitFirstOfThree() {
    SteppedRun run = openWithFirstOfThreeHeld();
    finishFirst();
    run.step();
    return run;
  }

  /** Steps until there is nothing to do without waiting. */
  Next run(SteppedRun run) {
    for (int steps = 0; steps < 10_000; steps++) {
      Next next = run.step();
      if (next.kind() != Next.Kind.GO_ON) {
        return next;
      }
    }
    throw new AssertionError("the loop does not come to rest");
  }

  /** Moves the clock to where the loop wants to go on, and goes on. */
  Next runLater(SteppedRun run, Next next) {
    clock.set(Math.max(clock.millis(), next.atMillis()));
    return run(run);
  }

  /** Lets a run die without a word; its lease expires. */
  void kill() {
    clock.advance(settings.leaseMillis());
  }

  Head head() {
    return CheckpointView.read(blob, register).orElseThrow().head();
  }

  List<Long> batches() {
    return progress.stream().map(QueryProgress::batchId).toList();
  }
}

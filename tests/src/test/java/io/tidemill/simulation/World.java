package io.tidemill.simulation;

import io.tidemill.checkpoint.HeadStore;
import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.connectors.Connectors;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.query.plan.Trigger;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.fault.FaultyRegister;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * One simulation: runs of one query, their functions, the storage, a source that grows, and a sink.
 * Each event is drawn from the seed; after each, what must hold is checked.
 */
final class World {
  private static final int RUNS_MAX = 2;
  private static final int CALM_EVENTS_MAX = 20_000;
  private static final long LEASE_MILLIS = 1_000;

  private final Trace trace = new Trace();
  private final Chance chance;
  private final SimulatedSource source;
  private final SimulatedSink sink;
  private final WatchedBlob blob = new WatchedBlob();
  private final WatchedRegister register = new WatchedRegister();
  private final Truth truth;
  private final Functions functions;
  private final boolean stateful;
  private final int retainBatches;
  private final String queryName;
  private final List<LivingRun> runs = new ArrayList<>();
  private long nowMillis = 1_000_000;
  private long rowIds;
  private int runIds;

  World(long seed) {
    this.chance = new Chance(seed);
    this.stateful = !chance.oneIn(5);
    // A head that is too large for the register now and then.
    this.queryName = chance.oneIn(500) ? "q".repeat(300_000) : "simulated";
    this.retainBatches = 1 + chance.below(3);
    this.source = new SimulatedSource(1 + chance.below(3), chance);
    this.sink = new SimulatedSink(chance, trace);
    this.truth = new Truth(blob, sink, new Expected(source, stateful), retainBatches);
    this.sink.watchedBy(truth);
    this.functions =
        new Functions(source, new FaultyBlob(blob, chance), stateful, chance, trace, truth);
    HeadStore heads = new HeadStore(blob, register);
    blob.onDelete(truth::onDelete);
    register.onChange(() -> truth.onHead(heads.read().orElseThrow().head()));
  }

  /** Draws events, then lets everything come to an end without faults. */
  void run() {
    int events = 30 + chance.below(150);
    for (int i = 0; i < events; i++) {
      event();
      truth.assertRetained();
    }
    finish();
  }

  Trace trace() {
    return trace;
  }

  long committedBatches() {
    return truth.committedBatches();
  }

  private void event() {
    int draw = chance.below(100);
    if (draw < 45) {
      stepRun();
    } else if (draw < 85) {
      stepFunction();
    } else if (draw < 90) {
      addRows();
    } else if (draw < 93) {
      passTime(chance.below(300));
    } else if (draw < 95) {
      functions.timeOut();
    } else if (draw < 97) {
      disturbRun();
    } else {
      startRun(chance.oneIn(2));
    }
  }

  private void stepRun() {
    List<LivingRun> ready = runs.stream().filter(r -> r.isReady(nowMillis)).toList();
    if (!ready.isEmpty()) {
      LivingRun run = chance.pick(ready);
      if (!run.step()) {
        runs.remove(run);
      }
    } else if (!functions.isWorking()) {
      somethingElse();
    }
  }

  private void stepFunction() {
    if (functions.isWorking()) {
      functions.step();
    } else {
      somethingElse();
    }
  }

  /** Nothing is at work: start a run, give up on lost calls, or let time pass. */
  private void somethingElse() {
    if (runs.isEmpty()) {
      startRun(false);
      passTime(LEASE_MILLIS / 4);
    } else if (functions.hasLostCall() && chance.oneIn(3)) {
      functions.timeOutLost();
    } else {
      passTime(1 + chance.below(200));
    }
  }

  private void addRows() {
    int count = 1 + chance.below(6);
    for (int i = 0; i < count; i++) {
      Row row = new Row(rowIds++, "k" + chance.below(7), nowMillis - chance.below(50));
      source.add(chance.below(source.partitionCount()), row);
    }
    trace.add(count, "rows arrive");
  }

  private void passTime(long millis) {
    nowMillis += millis;
    trace.add(millis, "ms pass");
  }

  private void disturbRun() {
    if (runs.isEmpty()) {
      return;
    }
    LivingRun run = chance.pick(runs);
    if (chance.oneIn(3)) {
      run.requestStop();
    } else {
      trace.add("run", run.name(), "is killed");
      runs.remove(run);
    }
  }

  private void startRun(boolean force) {
    if (runs.size() < RUNS_MAX) {
      String name = "r" + runIds++;
      LivingRun.open(name, spec(force), environment(name), trace).ifPresent(runs::add);
    }
  }

  private RunSpec spec(boolean force) {
    Trigger trigger =
        chance.isCalm() || chance.oneIn(3) ? Trigger.availableNow() : Trigger.asFastAsPossible();
    OrchestratorSettings settings =
        new OrchestratorSettings(
            chance.below(6), 1 + chance.below(4), 2, 50, LEASE_MILLIS, 10, 100, 10_000, 100, 2);
    return new RunSpec(
        SimulatedPlans.of(queryName, stateful, trigger, retainBatches), settings, List.of(), force);
  }

  private RunEnvironment environment(String name) {
    Blob faultyBlob = new FaultyBlob(blob, chance);
    Register faultyRegister = new FaultyRegister(register, chance);
    Connectors connectors = SimulatedConnectors.of(source, sink);
    InstantSource clock = () -> Instant.ofEpochMilli(nowMillis);
    int[] ids = {0};
    return new RunEnvironment(
        connectors,
        faultyBlob,
        faultyRegister,
        functions.invoker(1 + chance.below(3)),
        clock,
        () -> name + "-" + ids[0]++,
        name,
        OwnerProbe.UNKNOWN);
  }

  /** Without any more faults, one available-now run must bring everything to the sink. */
  private void finish() {
    trace.add("calm");
    chance.calmDown();
    runs.clear();
    nowMillis += LEASE_MILLIS;
    startRun(false);
    for (int i = 0; !runs.isEmpty(); i++) {
      if (i > CALM_EVENTS_MAX) {
        throw new AssertionError("the query does not come to an end");
      }
      if (chance.oneIn(2)) {
        stepRun();
      } else {
        stepFunction();
      }
    }
    truth.assertRetained();
    truth.assertComplete(source.rowCount());
  }
}

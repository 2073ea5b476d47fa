package io.tidemill.simulation;

import io.tidemill.checkpoint.OwnerProbe;
import io.tidemill.connectors.Connectors;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.query.plan.StateForm;
import io.tidemill.query.plan.Trigger;
import io.tidemill.storage.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
  private final SimulatedStorage storage;
  private final Truth truth;
  private final Functions functions;
  private final SimulatedQuery query;
  private final List<LivingRun> runs = new ArrayList<>();
  private long nowMillis = 1_000_000;
  private long rowIds;
  private int runIds;

  /** A simulation in memory. */
  World(long seed) {
    this(seed, Optional.empty());
  }

  /**
   * @param store where the checkpoint is; empty for memory
   */
  World(long seed, Optional<Store> store) {
    this.chance = new Chance(seed);
    this.query = SimulatedQuery.drawnFrom(chance);
    boolean isChain = chance.oneIn(4);
    this.storage =
        store.map(SimulatedStorage::of).orElseGet(() -> SimulatedStorage.inMemory(isChain));
    this.source = new SimulatedSource(1 + chance.below(3), chance);
    this.sink = new SimulatedSink(chance, trace);
    this.truth = new Truth(storage, sink, new Expected(source, query.grouping()), query);
    this.sink.watchedBy(truth);
    this.storage.watchedBy(truth);
    this.functions = new Functions(source, storage, query, chance, trace, truth);
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

  SimulatedQuery query() {
    return query;
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
    } else if (draw < 96) {
      functions.thaw();
    } else if (draw < 98) {
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
    int straggler = chance.oneIn(3) ? 1 + chance.below(200) : 0;
    OrchestratorSettings settings =
        new OrchestratorSettings(
            chance.below(6),
            1 + chance.below(4),
            2,
            50,
            LEASE_MILLIS,
            10,
            100,
            10_000,
            100,
            2,
            straggler,
            0);
    return new RunSpec(SimulatedPlans.of(query, trigger), settings, List.of(), force);
  }

  private RunEnvironment environment(String name) {
    SimulatedStorage.View view = storage.view(chance);
    Connectors connectors = SimulatedConnectors.of(source, sink);
    InstantSource clock = () -> Instant.ofEpochMilli(nowMillis);
    int[] ids = {0};
    return new RunEnvironment(
        connectors,
        view.blob(),
        view.register(),
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
    runToEnd();
    truth.assertComplete(source.rowCount());
    if (query.isStateful() && query.form() == StateForm.DYNAMODB) {
      while (functions.isWorking() || functions.isFrozen()) {
        functions.thaw();
        functions.step();
      }
      long sweeps = sweeps();
      while (sweeps() == sweeps) {
        addRows();
        runToEnd();
      }
      truth.assertSwept();
    }
  }

  private long sweeps() {
    return truth.committedBatches() / ItemCounts.SETTINGS.sweepEveryBatches();
  }

  private void runToEnd() {
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
  }
}

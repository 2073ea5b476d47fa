package io.tidemill.simulation;

import io.tidemill.orchestrator.Next;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.orchestrator.SteppedRun;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Optional;

/** A run as long as its process lives. */
final class LivingRun {
  private final String name;
  private final Trace trace;
  private SteppedRun run;
  private Next next = Next.GO_ON;
  private boolean woken;

  private LivingRun(String name, Trace trace) {
    this.name = name;
    this.trace = trace;
  }

  /** Starts a run; empty if it ends at once. */
  static Optional<LivingRun> open(
      String name, RunSpec spec, RunEnvironment environment, Trace trace) {
    LivingRun living = new LivingRun(name, trace);
    try {
      living.run = SteppedRun.open(spec, environment, () -> living.woken = true);
      trace.add("run", name, "starts,", spec.plan().settings().trigger().text());
      return Optional.of(living);
    } catch (TidemillException e) {
      trace.add("run", name, "does not start:", e.getMessage());
      mustBeForeseen(e);
      return Optional.empty();
    } catch (Death e) {
      trace.add("run", name, "dies while it starts");
      return Optional.empty();
    }
  }

  String name() {
    return name;
  }

  boolean isReady(long nowMillis) {
    return next.kind() == Next.Kind.GO_ON || woken || nowMillis >= next.atMillis();
  }

  void requestStop() {
    trace.add("run", name, "is asked to stop");
    run.requestStop();
    woken = true;
  }

  /** Does a step; false if the run is over. */
  boolean step() {
    woken = false;
    try {
      next = run.step();
      trace.add("run", name, ":", next);
      return next.kind() != Next.Kind.ENDED;
    } catch (TidemillException e) {
      trace.add("run", name, "fails:", e.getMessage());
      mustBeForeseen(e);
      abandon();
      return false;
    } catch (Death e) {
      trace.add("run", name, "dies");
      return false;
    }
  }

  private void abandon() {
    try {
      run.abandon();
    } catch (TidemillException e) {
      trace.add("run", name, "cannot give its lease back:", e.getMessage());
      mustBeForeseen(e);
    } catch (Death e) {
      trace.add("run", name, "dies while it ends");
    }
  }

  /** Runs end because of faults and of each other, not because of bugs and damage. */
  private static void mustBeForeseen(TidemillException e) {
    boolean goneForAFencedRun = e.code() == ErrorCode.STATE_CORRUPT;
    if (e.category() != Category.UNAVAILABLE
        && e.category() != Category.FENCED
        && !goneForAFencedRun) {
      throw e;
    }
  }
}

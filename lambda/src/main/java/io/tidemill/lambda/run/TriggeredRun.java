package io.tidemill.lambda.run;

import io.tidemill.orchestrator.QueryRun;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Drives one run within the time of an invocation: with less left than the margin it asks the run
 * to end with its batch; if the batch takes too long, it interrupts it, and the next run does it
 * again, with the results of the tasks that are done.
 */
final class TriggeredRun {
  /** Enough to give the lease back and to answer. */
  private static final long INTERRUPT_MARGIN_MILLIS = 5_000;

  private final RunSpec spec;
  private final RunEnvironment environment;
  private final LongSupplier remainingMillis;
  private final long stopMarginMillis;
  private boolean hasRunBatch;

  TriggeredRun(
      RunSpec spec,
      RunEnvironment environment,
      LongSupplier remainingMillis,
      long stopMarginMillis) {
    this.spec = spec;
    this.environment = environment;
    this.remainingMillis = remainingMillis;
    this.stopMarginMillis = stopMarginMillis;
  }

  /**
   * Runs; throws the error the run ends with.
   *
   * @return true if the run came to its own end, false if it ran out of time
   */
  boolean run() throws InterruptedException {
    // A margin longer than the invocation must not keep it from doing anything.
    long margin = Math.min(stopMarginMillis, remainingMillis.getAsLong() / 2);
    QueryRun run = QueryRun.start(spec, environment);
    if (ended(run, margin)) {
      return true;
    }
    run.requestStop();
    if (!ended(run, INTERRUPT_MARGIN_MILLIS)) {
      run.stopNow();
      run.exception().ifPresent(TriggeredRun::raise);
    }
    hasRunBatch = run.hasRunBatch();
    return false;
  }

  /** Once it ran out of time: whether it had a batch before. */
  boolean hasRunBatch() {
    return hasRunBatch;
  }

  private boolean ended(QueryRun run, long marginMillis) throws InterruptedException {
    long left = Math.max(0, remainingMillis.getAsLong() - marginMillis);
    return run.awaitTermination(Duration.ofMillis(left));
  }

  private static void raise(TidemillException failure) {
    throw failure;
  }
}

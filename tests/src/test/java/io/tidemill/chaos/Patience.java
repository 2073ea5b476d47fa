package io.tidemill.chaos;

import java.time.Duration;
import java.util.Set;

/** Ends a trial that does not come to its end by itself. Thread-safe. */
final class Patience {
  private static final int RUNS_MAX = 2_000;
  private static final Duration WITHOUT_RUN_MAX = Duration.ofMinutes(5);

  /** Nothing was tried: how often that is the answer says only how long another run takes. */
  private static final Set<String> NO_RUNS = Set.of("active", "throttled");

  private long lastRunNanos = System.nanoTime();
  private int runs;

  /**
   * Takes note of what came of a trigger.
   *
   * @throws IllegalStateException if there were too many runs, or none for too long
   */
  synchronized void answered(String outcome) {
    long now = System.nanoTime();
    if (!NO_RUNS.contains(outcome)) {
      runs++;
      lastRunNanos = now;
    }
    if (runs > RUNS_MAX || now - lastRunNanos > WITHOUT_RUN_MAX.toNanos()) {
      throw new IllegalStateException(
          "The trial does not come to an end: " + runs + " runs, now " + outcome);
    }
  }
}

package io.tidemill.host;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something that happens elsewhere, as long as a busy machine may take for it. */
final class Until {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = 5_000_000;

  private Until() {}

  static void holds(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean late = false;
    while (!condition.getAsBoolean()) {
      if (late) {
        throw new AssertionError("it did not happen within " + PATIENCE);
      }
      LockSupport.parkNanos(LOOK_NANOS);
      late = System.nanoTime() > end; // If this thread stood still, it looks once more.
    }
  }
}

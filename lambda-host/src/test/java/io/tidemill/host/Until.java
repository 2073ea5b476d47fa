package io.tidemill.host;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something that happens elsewhere. */
final class Until {
  private static final long LOOK_NANOS = 5_000_000;

  private Until() {}

  static void holds(BooleanSupplier condition, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not happen within " + atMost);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}

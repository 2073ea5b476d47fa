package io.tidemill.storage.aws;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits before a call is repeated. Injected, so that tests need not wait. */
@FunctionalInterface
public interface Pause {
  /** Waits for about so long; an interrupt ends it early and stays set. */
  void of(Duration time);

  /** One that waits. */
  static Pause waiting() {
    return time -> LockSupport.parkNanos(time.toNanos());
  }
}

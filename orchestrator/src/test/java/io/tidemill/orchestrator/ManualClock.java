package io.tidemill.orchestrator;

import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is moved. */
final class ManualClock implements InstantSource {
  private long millis;

  ManualClock(long millis) {
    this.millis = millis;
  }

  synchronized void set(long millis) {
    this.millis = millis;
  }

  synchronized void advance(long by) {
    millis += by;
  }

  @Override
  public synchronized long millis() {
    return millis;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }
}

package io.tidemill.chaos;

import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Whether a process is alive. At each of its storage calls it may die, or stand still for longer
 * than a lease. Once dead, none of its calls does anything. Thread-safe.
 */
final class Life implements FaultSource {
  /** Of one to whom nothing happens. */
  static final FaultSource CALM = (call, name) -> Fault.NONE;

  private final Disturbance disturbance;
  private final String kind;
  private final double killed;
  private final double frozen;
  private final Duration freeze;
  private volatile boolean dead;

  /**
   * @param kind what it is the life of, for the tally
   * @param freeze how long it stands still
   */
  private Life(
      Disturbance disturbance, String kind, double killed, double frozen, Duration freeze) {
    this.disturbance = disturbance;
    this.kind = kind;
    this.killed = killed;
    this.frozen = frozen;
    this.freeze = freeze;
  }

  static Life ofTask(Disturbance disturbance, Duration freeze) {
    Rates rates = disturbance.rates();
    return new Life(disturbance, "task", rates.taskKilled(), rates.taskFrozen(), freeze);
  }

  static Life ofRun(Disturbance disturbance, Duration freeze) {
    Rates rates = disturbance.rates();
    return new Life(disturbance, "orchestrator", rates.runKilled(), rates.runFrozen(), freeze);
  }

  boolean isOver() {
    return dead;
  }

  @Override
  public Fault next(Call call, String name) {
    if (!dead && disturbance.happens(kind + " kills", killed)) {
      dead = true;
    }
    if (!dead && disturbance.happens(kind + " freezes", frozen)) {
      standStill();
    }
    if (dead) {
      throw new Death();
    }
    return disturbance.ofStorage(call, name);
  }

  private void standStill() {
    long end = System.nanoTime() + freeze.toNanos();
    for (long left = freeze.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}

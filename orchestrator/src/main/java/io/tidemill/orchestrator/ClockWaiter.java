package io.tidemill.orchestrator;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Puts the thread that runs a query to sleep, and wakes it. */
final class ClockWaiter {
  private final InstantSource clock;
  private final Lock lock = new ReentrantLock();
  private final Condition woken = lock.newCondition();
  private boolean wake;

  ClockWaiter(InstantSource clock) {
    this.clock = clock;
  }

  /** Returns at the time or once woken; a call of {@link #wake} before this one is not lost. */
  void awaitUntil(long millis) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = millis - clock.millis();
      while (!wake && left > 0) {
        if (!woken.await(left, TimeUnit.MILLISECONDS)) {
          break;
        }
        left = millis - clock.millis();
      }
      wake = false;
    } finally {
      lock.unlock();
    }
  }

  void wake() {
    lock.lock();
    try {
      wake = true;
      woken.signalAll();
    } finally {
      lock.unlock();
    }
  }
}

package io.tidemill.crash;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Lets a producer go on only as fast as wanted, and in each round only up to that round's share, so
 * that there is something to produce in the last round too. Thread-safe.
 */
final class Pace implements LongConsumer {
  private final long records;
  private final int recordsPerSecond;
  private final int rounds;
  private long sent;
  private long ceiling;
  private long roundFrom;
  private long roundStartNanos;
  private int round;

  Pace(long records, int recordsPerSecond, int rounds) {
    this.records = records;
    this.recordsPerSecond = recordsPerSecond;
    this.rounds = rounds;
    nextRound();
  }

  /** Starts a round; after the last one all that remains may be sent at once. */
  synchronized void nextRound() {
    roundFrom = sent;
    roundStartNanos = System.nanoTime();
    round++;
    ceiling = round > rounds ? Long.MAX_VALUE : records * round / rounds;
    notifyAll();
  }

  /** Waits until something was sent, so that there is a topic to read. */
  synchronized void awaitStart() throws InterruptedException {
    while (sent == 0) {
      wait();
    }
  }

  synchronized long sent() {
    return sent;
  }

  @Override
  public synchronized void accept(long now) {
    sent = now;
    notifyAll();
    try {
      while (sent < records && ceiling != Long.MAX_VALUE && waitMillis() > 0) {
        TimeUnit.MILLISECONDS.timedWait(this, waitMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long waitMillis() {
    if (sent >= ceiling) {
      return Long.MAX_VALUE;
    }
    long due = TimeUnit.SECONDS.toMillis(sent - roundFrom) / recordsPerSecond;
    return due - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - roundStartNanos);
  }
}

package io.tidemill.orchestrator;

import io.tidemill.query.plan.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the next trigger is due. Spark 4.2, reference section 4: ticks of a processing-time trigger
 * are multiples of its interval since the epoch; the first trigger runs at once; a trigger that
 * took longer than the interval is followed at once by the next, and missed ticks are gone.
 */
final class Pacing {
  private static final Logger LOG = LoggerFactory.getLogger(Pacing.class);

  private final Trigger trigger;
  private final long pollMinMillis;
  private final long pollMaxMillis;
  private long pollMillis;
  private long dueMillis = Long.MIN_VALUE;
  private long startedMillis;

  Pacing(Trigger trigger, OrchestratorSettings settings) {
    this.trigger = trigger;
    this.pollMinMillis = settings.pollMinMillis();
    this.pollMaxMillis = settings.pollMaxMillis();
    this.pollMillis = pollMinMillis;
  }

  /** True for triggers that end when there is nothing more to do. */
  boolean endsWhenIdle() {
    return trigger.kind() == Trigger.Kind.AVAILABLE_NOW || isOnce();
  }

  /** True for the trigger that ends after one batch. */
  boolean isOnce() {
    return trigger.kind() == Trigger.Kind.ONCE;
  }

  /** True if the trigger only polls, so that somebody who waits may be served earlier. */
  boolean isPolling() {
    return trigger.kind() == Trigger.Kind.DEFAULT;
  }

  /** The earliest time for the next trigger. */
  long dueMillis() {
    return dueMillis;
  }

  /** A trigger starts. */
  void started(long nowMillis) {
    startedMillis = nowMillis;
    if (trigger.kind() == Trigger.Kind.PROCESSING_TIME) {
      long interval = trigger.intervalMillis();
      dueMillis = Math.floorDiv(nowMillis, interval) * interval + interval;
    }
  }

  /** The trigger ran a batch to its end. */
  void worked(long nowMillis) {
    pollMillis = pollMinMillis;
    if (trigger.kind() != Trigger.Kind.PROCESSING_TIME) {
      dueMillis = nowMillis;
    } else if (nowMillis - startedMillis > trigger.intervalMillis()) {
      LOG.warn(
          "A batch took {} ms, longer than the trigger's interval of {} ms; the next one starts at"
              + " once",
          nowMillis - startedMillis,
          trigger.intervalMillis());
    }
  }

  /** The trigger found nothing to do. */
  void idled(long nowMillis) {
    if (isPolling()) {
      dueMillis = nowMillis + pollMillis;
      pollMillis = Math.min(2 * pollMillis, pollMaxMillis);
    }
  }

  /** Whether the next batch may be fixed now, in the commit of the one before. */
  boolean mayPlanAhead(long nowMillis) {
    return !isOnce() && nowMillis >= dueMillis;
  }
}

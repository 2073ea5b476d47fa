package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;

/** When batches run, under Spark's names. */
@SuppressWarnings("MemberName") // Spark's names
public final class Trigger {
  private final io.tidemill.query.plan.Trigger trigger;

  private Trigger(io.tidemill.query.plan.Trigger trigger) {
    this.trigger = trigger;
  }

  /** All that is there at the start, in as many batches as limits ask for; then the query ends. */
  public static Trigger AvailableNow() {
    return new Trigger(io.tidemill.query.plan.Trigger.availableNow());
  }

  public static Trigger availableNow() {
    return AvailableNow();
  }

  /** One batch without limits; then the query ends. */
  public static Trigger Once() {
    return new Trigger(io.tidemill.query.plan.Trigger.once());
  }

  public static Trigger once() {
    return Once();
  }

  /** A batch at each multiple of an interval such as {@code 10 seconds}; 0 for without pause. */
  public static Trigger ProcessingTime(String interval) {
    return io.tidemill.query.plan.Trigger.parse(functions.interval(interval))
        .filter(
            t ->
                t.kind() == io.tidemill.query.plan.Trigger.Kind.PROCESSING_TIME
                    || t.kind() == io.tidemill.query.plan.Trigger.Kind.DEFAULT)
        .map(Trigger::new)
        .orElseThrow(
            () ->
                new TidemillException(
                        ErrorCode.INVALID_OPTION,
                        "The interval of a trigger is a text such as '10 seconds'.")
                    .with("interval", interval));
  }

  public static Trigger ProcessingTime(long intervalMillis) {
    return new Trigger(
        io.tidemill.query.plan.Trigger.processingTime(Duration.ofMillis(intervalMillis)));
  }

  public static Trigger processingTime(String interval) {
    return ProcessingTime(interval);
  }

  io.tidemill.query.plan.Trigger plan() {
    return trigger;
  }
}

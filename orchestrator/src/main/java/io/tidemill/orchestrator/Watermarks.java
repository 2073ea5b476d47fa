package io.tidemill.orchestrator;

import io.tidemill.checkpoint.InputActivity;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * How far event time has come. Each source with an event time has its own watermark: the greatest
 * event time ever seen, cut to milliseconds, minus its delay. The query's is the least or greatest
 * of them and never goes back. Spark 4.2, reference 6.1; unlike there, the greatest event times
 * survive restarts and an idle source can be left out.
 */
final class Watermarks {
  private static final long MICROS_PER_MILLI = 1_000;

  private final List<SourcePlan> inputs;
  private final boolean least;
  private final long idleTimeoutMillis;

  Watermarks(QueryPlan plan) {
    this.inputs = plan.sources().stream().filter(s -> s.eventTime().isPresent()).toList();
    this.least = plan.settings().watermarkPolicy().equals("min");
    this.idleTimeoutMillis = plan.settings().idleTimeoutMillis();
  }

  /**
   * What is known of each source after a batch.
   *
   * @param stats what the batch read, one entry per source
   */
  static List<InputActivity> after(
      List<InputActivity> before, List<SourceStats> stats, long batchTimestampMillis) {
    List<InputActivity> after = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      after.add(after(before.get(i), stats.get(i), batchTimestampMillis));
    }
    return after;
  }

  private static InputActivity after(InputActivity before, SourceStats stats, long timestamp) {
    Optional<Long> seen =
        Optional.ofNullable(stats.maxEventMicros()).map(m -> Math.floorDiv(m, MICROS_PER_MILLI));
    Optional<Long> max =
        seen.isEmpty()
            ? before.maxEventMillis()
            : Optional.of(Math.max(seen.get(), before.maxEventMillis().orElse(seen.get())));
    return new InputActivity(max, stats.rows() > 0 ? timestamp : before.activeAtMillis());
  }

  /** The query's watermark, with every source counting. */
  Watermark global(Watermark before, List<InputActivity> activity) {
    return before.max(combined(inputs, activity));
  }

  /**
   * The query's watermark, without sources that are idle.
   *
   * @param readToEnd sources known to have nothing more to read; only they can be idle
   */
  Watermark global(
      Watermark before, List<InputActivity> activity, IntPredicate readToEnd, long nowMillis) {
    List<SourcePlan> counting =
        inputs.stream()
            .filter(s -> !isIdle(activity.get(s.index()), nowMillis, readToEnd, s.index()))
            .toList();
    return before.max(combined(counting.isEmpty() ? inputs : counting, activity));
  }

  private boolean isIdle(InputActivity activity, long now, IntPredicate readToEnd, int source) {
    return idleTimeoutMillis > 0
        && now - activity.activeAtMillis() >= idleTimeoutMillis
        && readToEnd.test(source);
  }

  private Watermark combined(List<SourcePlan> counting, List<InputActivity> activity) {
    return counting.stream()
        .map(s -> own(s, activity.get(s.index())))
        .reduce(least ? Watermark::min : Watermark::max)
        .orElse(Watermark.NONE);
  }

  private static Watermark own(SourcePlan source, InputActivity activity) {
    long delay = source.eventTime().orElseThrow().delayMillis();
    return activity
        .maxEventMillis()
        .map(max -> Watermark.ofMillis(max - delay))
        .orElse(Watermark.NONE);
  }
}

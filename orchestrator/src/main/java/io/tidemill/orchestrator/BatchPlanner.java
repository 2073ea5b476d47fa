package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.Head;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.connectors.Source;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Trigger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Decides what the next batch is: exact ranges of the sources, or a batch without data because the
 * watermark moved, or nothing. Used by one thread.
 */
final class BatchPlanner {
  private final QueryPlan plan;
  private final Sources sources;
  private final Watermarks watermarks;
  private final Layouts layouts;
  private final boolean limits;
  private final boolean fixedEnd;
  private final List<SourcePosition> newest;

  /**
   * @param known the newest positions this query has seen
   */
  BatchPlanner(
      QueryPlan plan,
      Sources sources,
      Watermarks watermarks,
      Layouts layouts,
      List<SourcePosition> known) {
    this.plan = plan;
    this.sources = sources;
    this.watermarks = watermarks;
    this.layouts = layouts;
    Trigger.Kind trigger = plan.settings().trigger().kind();
    this.limits = trigger != Trigger.Kind.ONCE;
    this.fixedEnd = trigger == Trigger.Kind.AVAILABLE_NOW;
    this.newest = new ArrayList<>(known);
    if (fixedEnd) {
      askLatest();
    }
  }

  /**
   * A batch that could be run.
   *
   * @param latest the newest position of each source when it was planned
   */
  record Draft(PlannedBatch batch, List<SourcePosition> latest) {}

  /**
   * Plans the batch behind the last committed one.
   *
   * @param noData whether a moved watermark alone is worth a batch now
   * @return empty if there is nothing to do
   */
  Optional<Draft> plan(Head head, boolean noData, long nowMillis, BatchTimes times) {
    if (!fixedEnd) {
      times.measure(BatchTimes.LATEST_OFFSET, this::askLatest);
    }
    return times.measure(BatchTimes.QUERY_PLANNING, () -> planned(head, noData, nowMillis));
  }

  private Optional<Draft> planned(Head head, boolean noData, long nowMillis) {
    Committed before = head.committed();
    List<PlannedSource> ranges = new ArrayList<>();
    boolean data = false;
    for (int i = 0; i < sources.count(); i++) {
      SourcePosition start = before.positions().get(i);
      Source.Range range = sources.get(i).plan(start, newest.get(i), limits, nowMillis);
      boolean advanced = !range.end().equals(start);
      data |= advanced;
      ranges.add(
          advanced
              ? new PlannedSource(start, range.end(), range.splits(), range.rowsEstimate())
              : PlannedSource.nothing(start));
    }
    Watermark watermark =
        watermarks.global(
            before.next(),
            before.inputs(),
            i -> newest.get(i).equals(before.positions().get(i)),
            nowMillis);
    boolean moved = watermark.compareTo(before.used()) > 0;
    if (!data && !(noData && moved && plan.usesWatermark() && plan.settings().noDataBatches())) {
      return Optional.empty();
    }
    long stateRows = before.state().values().stream().mapToLong(StateVersion::rows).sum();
    PlannedBatch batch =
        new PlannedBatch(
            before.following(),
            data,
            ranges,
            before.used(),
            watermark,
            nowMillis,
            seed(head),
            layouts.of(ranges, data, stateRows));
    return Optional.of(new Draft(batch, List.copyOf(newest)));
  }

  private void askLatest() {
    for (int i = 0; i < newest.size(); i++) {
      newest.set(i, sources.get(i).latest(newest.get(i)));
    }
  }

  /** A number that differs between queries and batches. */
  private static long seed(Head head) {
    CRC32C crc = new CRC32C();
    String text = head.query() + "/" + head.timeline() + "/" + head.committed().following();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return crc.getValue();
  }
}

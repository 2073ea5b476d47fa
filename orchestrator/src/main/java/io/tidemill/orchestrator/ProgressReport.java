package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Committed;
import io.tidemill.checkpoint.PlannedBatch;
import io.tidemill.checkpoint.PlannedSource;
import io.tidemill.connectors.Source;
import io.tidemill.orchestrator.progress.EventTimeProgress;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.orchestrator.progress.SinkProgress;
import io.tidemill.orchestrator.progress.SourceProgress;
import io.tidemill.orchestrator.progress.StateOperatorProgress;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes progress objects. */
final class ProgressReport {
  private static final double MILLIS_PER_SECOND = 1_000;
  private static final long MICROS_PER_MILLI = 1_000;

  private final QueryPlan plan;
  private final Sources sources;
  private final QueryId query;
  private final String runId;

  ProgressReport(QueryPlan plan, Sources sources, QueryId query, String runId) {
    this.plan = plan;
    this.sources = sources;
    this.query = query;
    this.runId = runId;
  }

  /**
   * @param latest the newest position of each source when the batch was planned
   * @param after what is committed with the batch
   */
  QueryProgress of(
      PlannedBatch batch,
      List<SourcePosition> latest,
      BatchResult result,
      Committed after,
      BatchTimes times) {
    long duration = times.elapsedMillis();
    List<SourceProgress> read = new ArrayList<>();
    for (int i = 0; i < sources.count(); i++) {
      read.add(
          source(
              sources.get(i),
              batch.sources().get(i),
              latest.get(i),
              result.sources().get(i),
              times));
    }
    return new QueryProgress(
        query,
        runId,
        plan.name(),
        isoMillis(times.startMillis()),
        batch.batch().value(),
        duration,
        result.inputRows(),
        perSecond(result.inputRows(), times.sincePreviousMillis()),
        perSecond(result.inputRows(), duration),
        times.spent(),
        eventTime(batch, result),
        plan.stateful().stream().map(stage -> operator(stage, result, after)).toList(),
        read,
        new SinkProgress(sinkDescription(), result.outputRows()));
  }

  private static SourceProgress source(
      Source source,
      PlannedSource planned,
      SourcePosition latest,
      SourceStats stats,
      BatchTimes times) {
    Map<String, String> metrics = new TreeMap<>(source.metrics(planned.end(), latest));
    stats.metrics().forEach((name, count) -> metrics.put(name, Long.toString(count)));
    metrics.put("numMalformedRows", Long.toString(stats.malformed()));
    return new SourceProgress(
        source.description(),
        source.shown(planned.start()),
        source.shown(planned.end()),
        source.shown(latest),
        stats.rows(),
        perSecond(stats.rows(), times.sincePreviousMillis()),
        perSecond(stats.rows(), times.elapsedMillis()),
        metrics);
  }

  private static StateOperatorProgress operator(Stage stage, BatchResult result, Committed after) {
    StateVersion state = after.state(stage.id());
    OperatorStats stats =
        result.operators().getOrDefault(stage.id(), new OperatorStats(stage.id(), 0, 0, 0, 0));
    return new StateOperatorProgress(
        stage.operator().orElseThrow().sparkName(),
        state.rows(),
        stats.rowsUpdated(),
        stats.rowsRemoved(),
        state.bytes(),
        stats.lateRows(),
        result.shards().getOrDefault(stage.id(), 0),
        Map.of("numGroupsDroppedByWatermark", stats.lateGroups()));
  }

  private Optional<EventTimeProgress> eventTime(PlannedBatch batch, BatchResult result) {
    if (plan.sources().stream().noneMatch(s -> s.eventTime().isPresent())) {
      return Optional.empty();
    }
    SourceStats all = SourceStats.none(0);
    for (SourceStats stats : result.sources()) {
      all = all.plus(stats);
    }
    Optional<String> average =
        all.eventRows() == 0
            ? Optional.empty()
            : Optional.of(isoMillis(Math.round(all.sumEventMillis() / all.eventRows())));
    return Optional.of(
        new EventTimeProgress(
            Optional.ofNullable(all.maxEventMicros()).map(ProgressReport::isoMicros),
            Optional.ofNullable(all.minEventMicros()).map(ProgressReport::isoMicros),
            average,
            batch.eviction().text()));
  }

  private String sinkDescription() {
    return plan.sink().connector().connector() + "[" + plan.sink().name() + "]";
  }

  /** One decimal; empty if it is not a number. */
  private static Optional<Double> perSecond(long rows, long millis) {
    return millis <= 0
        ? Optional.empty()
        : Optional.of(Math.round(rows * MILLIS_PER_SECOND / millis * 10) / 10.0);
  }

  private static String isoMicros(long micros) {
    return isoMillis(Math.floorDiv(micros, MICROS_PER_MILLI));
  }

  static String isoMillis(long millis) {
    return Watermark.ofMillis(millis).text();
  }
}

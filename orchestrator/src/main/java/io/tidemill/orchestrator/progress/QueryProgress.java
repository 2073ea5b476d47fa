package io.tidemill.orchestrator.progress;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.QueryId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one batch did. Field names and meanings are Spark's (4.2, StreamingQueryProgress); rates
 * that are no number are left out.
 *
 * @param runId of this run of the query
 * @param timestamp when the trigger started, ISO 8601 in UTC with milliseconds
 * @param batchDuration milliseconds from the trigger's start to its end
 * @param numInputRows rows read, each source counted once per reference
 * @param inputRowsPerSecond rows over the time since the previous trigger started
 * @param processedRowsPerSecond rows over the duration
 * @param durationMs milliseconds per activity, among them triggerExecution, latestOffset,
 *     queryPlanning, walCommit, addBatch, commitOffsets and (beyond Spark) publish
 * @param eventTime empty if no source has a watermark
 */
public record QueryProgress(
    QueryId id,
    String runId,
    String name,
    String timestamp,
    long batchId,
    long batchDuration,
    long numInputRows,
    Optional<Double> inputRowsPerSecond,
    Optional<Double> processedRowsPerSecond,
    Map<String, Long> durationMs,
    Optional<EventTimeProgress> eventTime,
    List<StateOperatorProgress> stateOperators,
    List<SourceProgress> sources,
    SinkProgress sink) {
  public QueryProgress {
    durationMs = new TreeMap<>(durationMs);
    stateOperators = List.copyOf(stateOperators);
    sources = List.copyOf(sources);
  }

  /** One line of JSON. */
  public String json() {
    return Json.write(this);
  }
}

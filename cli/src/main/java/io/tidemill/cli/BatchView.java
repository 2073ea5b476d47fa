package io.tidemill.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.orchestrator.progress.EventTimeProgress;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.orchestrator.progress.SourceProgress;
import io.tidemill.orchestrator.progress.StateOperatorProgress;
import java.util.Map;
import java.util.Optional;

/**
 * What people want to know of a batch.
 *
 * @param query the query's name
 * @param batch batch id
 * @param inputRows rows read
 * @param rowsPerSecond rows read by the duration of the batch; 0 if it took no time
 * @param lag rows that were known and not read when the batch was planned; 0 for sources that do
 *     not count them
 * @param watermark ISO 8601; empty if there is none yet
 * @param stateRows rows in state
 * @param outputRows rows written
 * @param malformed rows that did not fit the declared columns
 * @param late rows dropped because their window was closed
 */
record BatchView(
    String query,
    long batch,
    long inputRows,
    double rowsPerSecond,
    long lag,
    Optional<String> watermark,
    long stateRows,
    long outputRows,
    long malformed,
    long late) {
  private static final String NO_WATERMARK = "1970-01-01";

  static BatchView of(QueryProgress progress) {
    long lag = 0;
    long malformed = 0;
    for (SourceProgress source : progress.sources()) {
      lag += distance(source.endOffset(), source.latestOffset());
      malformed += Long.parseLong(source.metrics().getOrDefault("numMalformedRows", "0"));
    }
    long stateRows = 0;
    long late = 0;
    for (StateOperatorProgress operator : progress.stateOperators()) {
      stateRows += operator.numRowsTotal();
      late += operator.numRowsDroppedByWatermark();
    }
    return new BatchView(
        progress.name(),
        progress.batchId(),
        progress.numInputRows(),
        progress.processedRowsPerSecond().orElse(0.0),
        lag,
        progress
            .eventTime()
            .map(EventTimeProgress::watermark)
            .filter(w -> !w.startsWith(NO_WATERMARK)),
        stateRows,
        progress.sink().numOutputRows(),
        malformed,
        late);
  }

  /** How far the numbers of one offset, by topic and partition, are behind those of another. */
  private static long distance(JsonNode end, JsonNode latest) {
    if (latest == null || end == null) {
      return 0;
    }
    if (latest.isIntegralNumber()) {
      return end.isIntegralNumber() ? Math.max(0, latest.asLong() - end.asLong()) : 0;
    }
    long distance = 0;
    for (Map.Entry<String, JsonNode> field : latest.properties()) {
      distance += distance(end.get(field.getKey()), field.getValue());
    }
    return distance;
  }
}

package io.tidemill.lambda.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.orchestrator.progress.SourceProgress;
import io.tidemill.orchestrator.progress.StateOperatorProgress;
import java.util.OptionalLong;

/** Adds up what the batches of a run did. Thread-safe. */
final class RunTotals implements StreamingQueryListener {
  private long batches;
  private long inputRows;
  private long outputRows;
  private long lateRows;
  private long malformedRows;
  private long backlogRows;
  private OptionalLong lastBatch = OptionalLong.empty();

  @Override
  public synchronized void onQueryProgress(QueryProgressEvent event) {
    QueryProgress progress = event.progress();
    batches++;
    inputRows += progress.sources().stream().mapToLong(SourceProgress::numInputRows).sum();
    outputRows += progress.sink().numOutputRows();
    lateRows +=
        progress.stateOperators().stream()
            .mapToLong(StateOperatorProgress::numRowsDroppedByWatermark)
            .sum();
    malformedRows +=
        progress.sources().stream()
            .mapToLong(s -> Long.parseLong(s.metrics().getOrDefault("numMalformedRows", "0")))
            .sum();
    backlogRows =
        progress.sources().stream()
            .mapToLong(s -> Math.max(0, rows(s.latestOffset()) - rows(s.endOffset())))
            .sum();
    lastBatch = OptionalLong.of(progress.batchId());
  }

  /** Where a source has got to, if its positions count rows: those of Kafka and rate do. */
  private static long rows(JsonNode position) {
    if (position == null || position.isNull()) {
      return 0;
    }
    if (position.isIntegralNumber()) {
      return position.longValue();
    }
    long sum = 0;
    for (JsonNode part : position) {
      sum += rows(part);
    }
    return sum;
  }

  synchronized long lateRows() {
    return lateRows;
  }

  synchronized long malformedRows() {
    return malformedRows;
  }

  /** Time to read what was known and not read after the last batch, at the speed of this run. */
  synchronized long backlogMillis(long runMillis) {
    return inputRows == 0 ? 0 : backlogRows * runMillis / inputRows;
  }

  synchronized RunAnswer answer(String query, RunAnswer.Outcome outcome) {
    return new RunAnswer(query, outcome, batches, inputRows, outputRows, lastBatch);
  }
}

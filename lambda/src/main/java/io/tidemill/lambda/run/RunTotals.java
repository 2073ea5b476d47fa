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

  /**
   * Where a source has got to, if its positions count rows, as Kafka's do: numbers by topic and
   * partition. Other numbers, as the times of files, are none of rows.
   */
  private static long rows(JsonNode position) {
    long sum = 0;
    for (JsonNode topic : position) {
      for (JsonNode partition : topic) {
        sum += partition.asLong(0);
      }
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

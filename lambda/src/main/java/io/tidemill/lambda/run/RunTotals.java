package io.tidemill.lambda.run;

import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.orchestrator.progress.SourceProgress;
import java.util.OptionalLong;

/** Adds up what the batches of a run did. Thread-safe. */
final class RunTotals implements StreamingQueryListener {
  private long batches;
  private long inputRows;
  private long outputRows;
  private OptionalLong lastBatch = OptionalLong.empty();

  @Override
  public synchronized void onQueryProgress(QueryProgressEvent event) {
    QueryProgress progress = event.progress();
    batches++;
    inputRows += progress.sources().stream().mapToLong(SourceProgress::numInputRows).sum();
    outputRows += progress.sink().numOutputRows();
    lastBatch = OptionalLong.of(progress.batchId());
  }

  synchronized RunAnswer answer(String query, RunAnswer.Outcome outcome) {
    return new RunAnswer(query, outcome, batches, inputRows, outputRows, lastBatch);
  }
}

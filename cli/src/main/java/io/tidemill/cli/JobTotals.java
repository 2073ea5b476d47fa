package io.tidemill.cli;

import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.orchestrator.progress.QueryProgress;

/** Adds up what the batches of a job did, shows each, and prints it as JSON if asked to. */
final class JobTotals implements StreamingQueryListener {
  private final ProgressDisplay display;
  private final boolean json;
  private long batches;
  private long inputRows;
  private long outputRows;
  private long malformed;
  private long late;

  /**
   * @param json whether each batch is printed as an object on standard output instead of shown
   */
  JobTotals(ProgressDisplay display, boolean json) {
    this.display = display;
    this.json = json;
  }

  @Override
  public synchronized void onQueryProgress(QueryProgressEvent event) {
    BatchView batch = add(event.progress());
    if (json) {
      System.out.println(event.progress().json());
    } else {
      display.batch(batch);
    }
  }

  /** Adds a batch without showing it. */
  synchronized BatchView add(QueryProgress progress) {
    BatchView batch = BatchView.of(progress);
    batches++;
    inputRows += batch.inputRows();
    outputRows += batch.outputRows();
    malformed += batch.malformed();
    late += batch.late();
    return batch;
  }

  synchronized long batches() {
    return batches;
  }

  synchronized long inputRows() {
    return inputRows;
  }

  synchronized long outputRows() {
    return outputRows;
  }

  synchronized long malformed() {
    return malformed;
  }

  synchronized long late() {
    return late;
  }
}

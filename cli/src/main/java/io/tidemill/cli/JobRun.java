package io.tidemill.cli;

import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.protocol.error.TidemillException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The queries of one job, which end together: if one fails, or a stop is asked for, each finishes
 * its batch and ends. Thread-safe.
 */
final class JobRun implements StreamingQueryListener {
  private final List<StreamingQuery> queries = new CopyOnWriteArrayList<>();
  private volatile boolean stopping;
  private volatile boolean signalled;

  /** A run that the first Ctrl-C or SIGTERM stops when its batches are done, and says so. */
  static JobRun stoppedBySignals(ProgressDisplay display) {
    JobRun run = new JobRun();
    StopSignals.onFirst(
        () -> {
          run.signalled = true;
          display.say("Stopping when the batch is done; once more stops at once.");
          run.requestStop();
        });
    return run;
  }

  /** Whether a signal asked for the end. */
  boolean signalled() {
    return signalled;
  }

  void add(StreamingQuery query) {
    queries.add(query);
    if (stopping) {
      query.requestStop();
    }
  }

  /** Asks every query to end with its batch, and returns at once. */
  void requestStop() {
    stopping = true;
    queries.forEach(StreamingQuery::requestStop);
  }

  @Override
  public void onQueryTerminated(QueryTerminatedEvent event) {
    if (event.exception().isPresent()) {
      requestStop();
    }
  }

  /** Waits until every query has ended; throws the first error, with the others suppressed. */
  void await() throws InterruptedException {
    TidemillException first = null;
    for (StreamingQuery query : queries) {
      try {
        query.awaitTermination();
      } catch (TidemillException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}

package io.tidemill.orchestrator;

import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A running query. Names are Spark's. Thread-safe. */
public interface StreamingQuery {
  /** Identity for the life of the checkpoint. */
  QueryId id();

  /** Identity of this run. */
  String runId();

  String name();

  boolean isActive();

  /** The error the query ended with, if any. */
  Optional<TidemillException> exception();

  QueryStatus status();

  /** The newest batches of this run, oldest first. */
  List<QueryProgress> recentProgress();

  Optional<QueryProgress> lastProgress();

  /** Waits until the query ends; throws the error it ended with. */
  void awaitTermination() throws InterruptedException;

  /** As above, but no longer than this; true if the query has ended. */
  boolean awaitTermination(Duration atMost) throws InterruptedException;

  /**
   * Waits until everything that was there at the call is committed and published, batches without
   * data included. Throws the error if the query ends with one. For tests; with a processing-time
   * trigger it waits for ticks.
   */
  void processAllAvailable() throws InterruptedException;

  /** Asks the query to end when its batch is done, and returns at once. */
  void requestStop();

  /** Ends the query when its batch is done. (Spark: interrupts the batch.) */
  void stop() throws InterruptedException;

  /** Interrupts the batch, which the next run does again, and waits for the end. */
  void stopNow() throws InterruptedException;
}

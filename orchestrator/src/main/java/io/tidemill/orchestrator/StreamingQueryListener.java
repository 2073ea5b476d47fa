package io.tidemill.orchestrator;

import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.QueryId;
import java.util.Optional;

/**
 * Hears what a query does. Names and fields are Spark's. Called by the thread that runs the query,
 * {@link #onQueryStarted} by the one that starts it; a slow listener slows the query down. An
 * exception of a listener is logged and changes nothing.
 */
public interface StreamingQueryListener {
  default void onQueryStarted(QueryStartedEvent event) {}

  /** A batch is committed and published. */
  default void onQueryProgress(QueryProgressEvent event) {}

  /** A trigger found nothing to do; told from time to time only. */
  default void onQueryIdle(QueryIdleEvent event) {}

  default void onQueryTerminated(QueryTerminatedEvent event) {}

  /**
   * @param timestamp ISO 8601 in UTC
   */
  record QueryStartedEvent(QueryId id, String runId, String name, String timestamp) {}

  /** Wraps the progress of one batch. */
  record QueryProgressEvent(QueryProgress progress) {}

  /**
   * @param timestamp ISO 8601 in UTC
   */
  record QueryIdleEvent(QueryId id, String runId, String timestamp) {}

  /**
   * @param exception message of the error the query ended with
   * @param errorClassOnException its code
   */
  record QueryTerminatedEvent(
      QueryId id,
      String runId,
      Optional<String> exception,
      Optional<String> errorClassOnException) {}
}

package io.tidemill.orchestrator;

import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.TidemillException;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listeners what a query does, and remembers the newest batches. Thread-safe. */
final class Events {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  private final List<StreamingQueryListener> listeners;
  private final OrchestratorSettings settings;
  private final InstantSource clock;
  private final QueryId query;
  private final String runId;
  private final String name;
  private final Deque<QueryProgress> recent = new ArrayDeque<>();
  private long quietUntilMillis = Long.MIN_VALUE;
  private volatile QueryStatus status = QueryStatus.STARTING;

  Events(RunSpec spec, InstantSource clock, QueryId query, String runId) {
    this.listeners = spec.listeners();
    this.settings = spec.settings();
    this.clock = clock;
    this.query = query;
    this.runId = runId;
    this.name = spec.plan().name();
  }

  void started() {
    String now = ProgressReport.isoMillis(clock.millis());
    tell(
        l ->
            l.onQueryStarted(
                new StreamingQueryListener.QueryStartedEvent(query, runId, name, now)));
  }

  void progress(QueryProgress progress) {
    synchronized (recent) {
      recent.addLast(progress);
      if (recent.size() > settings.recentProgressMax()) {
        recent.removeFirst();
      }
    }
    quietUntilMillis = clock.millis() + settings.idleEventMillis();
    tell(l -> l.onQueryProgress(new StreamingQueryListener.QueryProgressEvent(progress)));
  }

  /** A trigger found nothing to do. Called by the thread that runs the query. */
  void idle() {
    long now = clock.millis();
    if (now >= quietUntilMillis) {
      quietUntilMillis = now + settings.idleEventMillis();
      String timestamp = ProgressReport.isoMillis(now);
      tell(l -> l.onQueryIdle(new StreamingQueryListener.QueryIdleEvent(query, runId, timestamp)));
    }
  }

  void terminated(Optional<TidemillException> failure) {
    status = QueryStatus.STOPPED;
    tell(
        l ->
            l.onQueryTerminated(
                new StreamingQueryListener.QueryTerminatedEvent(
                    query,
                    runId,
                    failure.map(TidemillException::getMessage),
                    failure.map(f -> f.code().name()))));
  }

  void status(QueryStatus now) {
    status = now;
  }

  QueryStatus status() {
    return status;
  }

  List<QueryProgress> recent() {
    synchronized (recent) {
      return List.copyOf(recent);
    }
  }

  /** A listener is a guest: what it throws must not stop the query. */
  private void tell(Consumer<StreamingQueryListener> call) {
    for (StreamingQueryListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException e) {
        LOG.error("A listener of query {} failed: {}", name, listener.getClass().getName(), e);
      }
    }
  }
}

package io.tidemill.api;

import io.tidemill.local.LocalQuery;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Locations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The queries that a session has started; Spark calls it StreamingQueryManager. Thread-safe. */
public final class StreamingQueries {
  private final LocalQuery.Machine machine;
  private final Locations locations;
  private final boolean runsHere;
  private final List<StreamingQueryListener> listeners = new CopyOnWriteArrayList<>();
  private final Map<String, LocalQuery> running = new LinkedHashMap<>();
  private final Set<String> endedEarly = new HashSet<>();
  private boolean anyEnded;
  private Optional<TidemillException> failure = Optional.empty();

  /**
   * @param runsHere false if somebody else runs the queries later, so that none can be waited for
   */
  StreamingQueries(LocalQuery.Machine machine, Locations locations, boolean runsHere) {
    this.machine = machine;
    this.locations = locations;
    this.runsHere = runsHere;
  }

  /** The queries that run now. */
  public synchronized List<StreamingQuery> active() {
    return running.values().stream()
        .<StreamingQuery>map(LocalQuery::run)
        .filter(StreamingQuery::isActive)
        .toList();
  }

  /** The running query of an id. */
  public Optional<StreamingQuery> get(String id) {
    return active().stream().filter(q -> q.id().toString().equals(id)).findFirst();
  }

  /**
   * Waits until a query ends, or has ended since the last {@link #resetTerminated}; throws the
   * error it ended with.
   */
  public synchronized void awaitAnyTermination() throws InterruptedException {
    while (!anyEnded && runsHere) {
      wait();
    }
    throwFailure();
  }

  /** As above, but no longer than this; true if a query has ended. */
  public synchronized boolean awaitAnyTermination(long atMostMillis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(atMostMillis);
    long left = atMostMillis;
    while (!anyEnded && runsHere && left > 0) {
      wait(left);
      left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    }
    throwFailure();
    return anyEnded;
  }

  private void throwFailure() {
    if (failure.isPresent()) {
      throw failure.get();
    }
  }

  /** Forgets the queries that have ended. */
  public synchronized void resetTerminated() {
    anyEnded = false;
    failure = Optional.empty();
  }

  /** Tells a listener of all queries, those that run already included. */
  public void addListener(StreamingQueryListener listener) {
    listeners.add(listener);
  }

  public void removeListener(StreamingQueryListener listener) {
    listeners.remove(listener);
  }

  public List<StreamingQueryListener> listListeners() {
    return List.copyOf(listeners);
  }

  StreamingQuery start(PlannedQuery query, String checkpoint) {
    boolean taken = active().stream().anyMatch(q -> q.name().equals(query.plan().name()));
    if (taken) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "A query of that name runs already; stop it, or give this one another queryName.")
          .with("name", query.plan().name());
    }
    RunSpec spec =
        new RunSpec(query.plan(), OrchestratorSettings.DEFAULT, List.of(new Telling()), false);
    LocalQuery started = LocalQuery.start(spec, locations.store(checkpoint), machine);
    boolean ended;
    synchronized (this) {
      ended = endedEarly.remove(started.run().runId());
      if (!ended) {
        running.put(started.run().runId(), started);
      }
    }
    if (ended) {
      started.close();
    }
    return started.run();
  }

  private void ended(String runId) {
    LocalQuery query;
    synchronized (this) {
      query = running.remove(runId);
      if (query == null) {
        endedEarly.add(runId);
      } else {
        failure = failure.or(query.run()::exception);
      }
      anyEnded = true;
      notifyAll();
    }
    if (query != null) {
      query.close();
    }
  }

  /** Ends all queries when their batches are done. */
  void stop() throws InterruptedException {
    Collection<StreamingQuery> queries = new ArrayList<>(active());
    queries.forEach(StreamingQuery::requestStop);
    for (StreamingQuery query : queries) {
      query.stop();
    }
  }

  /** Hands events to the session's listeners, whoever they are by then. */
  private final class Telling implements StreamingQueryListener {
    @Override
    public void onQueryStarted(QueryStartedEvent event) {
      tell(l -> l.onQueryStarted(event));
    }

    @Override
    public void onQueryProgress(QueryProgressEvent event) {
      tell(l -> l.onQueryProgress(event));
    }

    @Override
    public void onQueryIdle(QueryIdleEvent event) {
      tell(l -> l.onQueryIdle(event));
    }

    @Override
    public void onQueryTerminated(QueryTerminatedEvent event) {
      try {
        tell(l -> l.onQueryTerminated(event));
      } finally {
        ended(event.runId());
      }
    }

    private void tell(Consumer<StreamingQueryListener> event) {
      listeners.forEach(event);
    }
  }
}

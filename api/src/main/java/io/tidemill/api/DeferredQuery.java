package io.tidemill.api;

import io.tidemill.orchestrator.QueryStatus;
import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A query of a {@link StreamingJob}, which runs when the job has defined all. Waiting for its end
 * returns at once, so that programs written to wait can be jobs as they are.
 */
record DeferredQuery(String name) implements StreamingQuery {
  private TidemillException notYet() {
    return new TidemillException(
            ErrorCode.UNSUPPORTED,
            "The query of a StreamingJob runs when define has returned; it has no results before.")
        .with("query", name);
  }

  @Override
  public QueryId id() {
    throw notYet();
  }

  @Override
  public String runId() {
    throw notYet();
  }

  @Override
  public boolean isActive() {
    return false;
  }

  @Override
  public Optional<TidemillException> exception() {
    return Optional.empty();
  }

  @Override
  public QueryStatus status() {
    throw notYet();
  }

  @Override
  public List<QueryProgress> recentProgress() {
    return List.of();
  }

  @Override
  public Optional<QueryProgress> lastProgress() {
    return Optional.empty();
  }

  @Override
  public void awaitTermination() {}

  @Override
  public boolean awaitTermination(Duration atMost) {
    return true;
  }

  @Override
  public void processAllAvailable() {
    throw notYet();
  }

  @Override
  public void requestStop() {
    throw notYet();
  }

  @Override
  public void stop() {
    throw notYet();
  }

  @Override
  public void stopNow() {
    throw notYet();
  }
}

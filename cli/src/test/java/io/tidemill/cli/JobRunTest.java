package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.orchestrator.QueryStatus;
import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.orchestrator.StreamingQueryListener.QueryTerminatedEvent;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobRunTest {
  private final JobRun run = new JobRun();
  private final EndedQuery first = new EndedQuery("first", null);
  private final EndedQuery second = new EndedQuery("second", null);

  @Test
  void aQueryThatFailsLetsTheOthersFinishTheirBatch() {
    run.add(first);
    run.add(second);

    run.onQueryTerminated(terminated(Optional.of("It failed.")));

    assertThat(first.stopRequested).isTrue();
    assertThat(second.stopRequested).isTrue();
  }

  @Test
  void aQueryThatIsDoneStopsNoOther() {
    run.add(first);

    run.onQueryTerminated(terminated(Optional.empty()));

    assertThat(first.stopRequested).isFalse();
  }

  @Test
  void aQueryThatStartsWhileTheJobStopsIsStoppedToo() {
    run.requestStop();

    run.add(first);

    assertThat(first.stopRequested).isTrue();
  }

  @Test
  void everyErrorIsKept() {
    TidemillException one = new TidemillException(ErrorCode.QUERY_FAILED, "One failed.");
    TidemillException two = new TidemillException(ErrorCode.QUERY_FAILED, "Two failed.");
    run.add(new EndedQuery("one", one));
    run.add(first);
    run.add(new EndedQuery("two", two));

    assertThatThrownBy(run::await).isSameAs(one).hasSuppressedException(two);
  }

  private static QueryTerminatedEvent terminated(Optional<String> error) {
    return new QueryTerminatedEvent(new QueryId("q"), "run", error, Optional.empty());
  }

  /** A query that has ended, with an error or without. */
  private static final class EndedQuery implements StreamingQuery {
    private final String name;
    private final TidemillException error;
    private boolean stopRequested;

    EndedQuery(String name, TidemillException error) {
      this.name = name;
      this.error = error;
    }

    @Override
    public QueryId id() {
      return new QueryId(name);
    }

    @Override
    public String runId() {
      return "run";
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public boolean isActive() {
      return false;
    }

    @Override
    public Optional<TidemillException> exception() {
      return Optional.ofNullable(error);
    }

    @Override
    public QueryStatus status() {
      return new QueryStatus("Stopped", false, false);
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
    public void awaitTermination() {
      if (error != null) {
        throw error;
      }
    }

    @Override
    public boolean awaitTermination(Duration atMost) {
      awaitTermination();
      return true;
    }

    @Override
    public void processAllAvailable() {}

    @Override
    public void requestStop() {
      stopRequested = true;
    }

    @Override
    public void stop() {}

    @Override
    public void stopNow() {}
  }
}

package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs on real threads; the clock stands still, so nothing here may depend on time passing. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class QueryRunTest {
  private final Mill mill =
      new Mill(Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.asFastAsPossible())));

  @Test
  void processAllAvailableWaitsForTheBatchesWithoutDataToo() throws InterruptedException {
    QueryRun run = QueryRun.start(mill.spec(), mill.environment());
    for (int times = 1; times <= 20; times++) {
      mill.source().add(times * 100L);
      run.processAllAvailable();
      assertThat(mill.sink.batches).hasSize(2 * times);
      assertThat(run.lastProgress().orElseThrow().numInputRows()).isZero();
    }
    run.stop();
    assertThat(run.isActive()).isFalse();
    assertThat(run.status().message()).isEqualTo("Stopped");
  }

  @Test
  void aRunOnTheCallersThreadEndsWithItsTrigger() {
    mill.plan = Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.availableNow()));
    mill.source().add(100);

    QueryRun run = QueryRun.open(mill.spec(), mill.environment());
    run.run();

    assertThat(run.isActive()).isFalse();
    assertThat(run.exception()).isEmpty();
    assertThat(run.recentProgress()).extracting(QueryProgress::batchId).containsExactly(0L, 1L);
    assertThat(run.id()).isEqualTo(mill.head().query());
    assertThat(run.name()).isEqualTo("out");
  }

  @Test
  void aFailureReachesEverybodyWhoWaits() throws InterruptedException {
    mill.functions.failNext(ErrorCode.MALFORMED_RECORD);
    mill.source().add(100);
    QueryRun run = QueryRun.start(mill.spec(), mill.environment());

    assertThatThrownBy(run::awaitTermination)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD));
    assertThatThrownBy(run::processAllAvailable).isInstanceOf(TidemillException.class);
    assertThatThrownBy(() -> run.awaitTermination(Duration.ofMillis(1)))
        .isInstanceOf(TidemillException.class);
    assertThat(run.exception()).isPresent();
    assertThat(mill.head().lease().owner()).isEmpty();
  }

  @Test
  void waitingForTheEndCanBeLimited() throws InterruptedException {
    QueryRun run = QueryRun.start(mill.spec(), mill.environment());
    assertThat(run.awaitTermination(Duration.ofMillis(1))).isFalse();
    run.stop();
    assertThat(run.awaitTermination(Duration.ofMillis(1))).isTrue();
  }

  @Test
  void stopFinishesTheBatch() throws InterruptedException {
    mill.functions.hold = true;
    mill.source().add(100);
    QueryRun run = QueryRun.start(mill.spec(), mill.environment());
    mill.functions.awaitHeld();

    run.requestStop();
    mill.functions.held.get(0).complete(mill.functions.run(mill.functions.requests.get(0)));
    run.awaitTermination();

    assertThat(mill.sink.batches).containsOnlyKeys(0L);
  }

  @Test
  void stopNowLeavesTheBatchToTheNextRun() throws InterruptedException {
    mill.functions.hold = true;
    mill.source().add(100);
    QueryRun run = QueryRun.start(mill.spec(), mill.environment());
    mill.functions.awaitHeld();

    run.stopNow();

    assertThat(run.exception()).isEmpty();
    assertThat(mill.functions.held.get(0).isCancelled()).isTrue();
    assertThat(mill.sink.batches).isEmpty();
    assertThat(mill.head().planned()).isPresent();
    assertThat(mill.head().lease().owner()).isEmpty();

    mill.functions.hold = false;
    QueryRun next = QueryRun.start(mill.spec(), mill.environment());
    next.processAllAvailable();
    next.stop();
    assertThat(mill.sink.batches).containsOnlyKeys(0L, 1L);
  }

  @Test
  void aBatchCountsAsRunFromItsCommitOnEvenIfItIsNotPublished() throws InterruptedException {
    mill.functions.hold = true;
    mill.source().add(100);
    QueryRun run = QueryRun.start(mill.spec(), mill.environment());
    mill.functions.awaitHeld();
    run.stopNow();
    assertThat(run.hasRunBatch()).isFalse();

    mill.functions.hold = false;
    mill.sink.broken = true;
    QueryRun next = QueryRun.start(mill.spec(), mill.environment());
    assertThatThrownBy(next::awaitTermination).isInstanceOf(TidemillException.class);
    assertThat(next.hasRunBatch()).isTrue();
  }

  /**
   * The interrupt comes late, when the run has seen that it is to stop and gives back its lease.
   */
  @Test
  void stopNowInterruptsNoRunThatGivesBackItsLease() throws InterruptedException {
    mill.functions.hold = true;
    mill.source().add(100);
    QueryRun run = QueryRun.open(mill.spec(), mill.environment());
    CountDownLatch leaving = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread own =
        new Thread(run::run) {
          @Override
          public void interrupt() {
            awaitFor(leaving, 200);
            super.interrupt();
            interrupted.countDown();
          }
        };
    own.start();
    mill.functions.awaitHeld();
    AtomicReference<Boolean> disturbed = new AtomicReference<>();
    mill.register.duringWrite =
        () -> {
          leaving.countDown();
          awaitFor(interrupted, 60_000);
          disturbed.set(Thread.currentThread().isInterrupted());
        };

    run.stopNow();

    assertThat(disturbed.get()).isFalse();
    assertThat(mill.head().lease().owner()).isEmpty();
  }

  private static void awaitFor(CountDownLatch latch, long millis) {
    try {
      var unused = latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFencedRunSaysSoEvenIfItFailedForAnotherReasonFirst() throws InterruptedException {
    mill.functions.hold = true;
    mill.source().add(100);
    QueryRun older = QueryRun.start(mill.spec(), mill.environment());
    mill.functions.awaitHeld();
    mill.force = true;
    mill.functions.hold = false;
    QueryRun newer = QueryRun.start(mill.spec(), mill.environment());
    newer.processAllAvailable();
    newer.stop();

    mill.functions
        .held
        .get(0)
        .completeExceptionally(new TidemillException(ErrorCode.STATE_CORRUPT, "A file is gone."));

    assertThatThrownBy(older::awaitTermination)
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
  }

  @Test
  void listenersHearEverythingInOrderAndCannotDoHarm() throws InterruptedException {
    List<String> heard = new CopyOnWriteArrayList<>();
    mill.source().add(100);
    mill.plan = Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.availableNow()));
    RunSpec spec = new RunSpec(mill.plan, mill.settings, List.of(rude(), listener(heard)), false);

    QueryRun.start(spec, mill.environment()).awaitTermination();

    assertThat(heard).containsExactly("started out", "progress 0", "progress 1", "terminated -");
  }

  @Test
  void listenersHearOfAFailure() throws InterruptedException {
    List<String> heard = new CopyOnWriteArrayList<>();
    mill.source().add(100);
    mill.functions.failNext(ErrorCode.STATE_CORRUPT);
    RunSpec spec = new RunSpec(mill.plan, mill.settings, List.of(listener(heard)), false);
    QueryRun run = QueryRun.start(spec, mill.environment());
    assertThatThrownBy(run::awaitTermination).isInstanceOf(TidemillException.class);

    assertThat(heard).containsExactly("started out", "terminated STATE_CORRUPT");
  }

  @Test
  void aListenerMayStopTheQueryItListensTo() throws InterruptedException {
    AtomicReference<QueryRun> run = new AtomicReference<>();
    CountDownLatch known = new CountDownLatch(1);
    StreamingQueryListener stopper =
        new StreamingQueryListener() {
          @Override
          public void onQueryProgress(QueryProgressEvent event) {
            try {
              known.await();
              run.get().stop();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    mill.source().add(100);
    RunSpec spec = new RunSpec(mill.plan, mill.settings, List.of(stopper), false);
    run.set(QueryRun.start(spec, mill.environment()));
    known.countDown();

    run.get().awaitTermination();

    assertThat(mill.sink.batches).containsOnlyKeys(0L);
  }

  @Test
  void onlyTheNewestProgressIsKept() throws InterruptedException {
    mill.settings =
        new OrchestratorSettings(50_000, 3, 3, 200, 60_000, 10, 100, 10_000, 5, 32, 0, 0);
    mill.plan = Plans.stateless(Trigger.availableNow());
    mill.functions.plan = mill.plan;
    mill.source().limit = 1;
    mill.source().add(1, 2, 3, 4, 5, 6, 7);

    QueryRun run = QueryRun.start(mill.spec(), mill.environment());
    run.awaitTermination();

    assertThat(run.recentProgress())
        .extracting(QueryProgress::batchId)
        .containsExactly(2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void whatCannotBeOpenedIsNotStarted() {
    mill.plan = Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.availableNow()));
    mill.source().broken = true;
    assertThatThrownBy(() -> QueryRun.start(mill.spec(), mill.environment()))
        .isInstanceOf(TidemillException.class);
  }

  private static StreamingQueryListener rude() {
    return new StreamingQueryListener() {
      @Override
      public void onQueryProgress(QueryProgressEvent event) {
        throw new IllegalStateException("rude");
      }
    };
  }

  private static StreamingQueryListener listener(List<String> heard) {
    return new StreamingQueryListener() {
      @Override
      public void onQueryStarted(QueryStartedEvent event) {
        heard.add("started " + event.name());
      }

      @Override
      public void onQueryProgress(QueryProgressEvent event) {
        heard.add("progress " + event.progress().batchId());
      }

      @Override
      public void onQueryTerminated(QueryTerminatedEvent event) {
        heard.add("terminated " + event.errorClassOnException().orElse("-"));
      }
    };
  }
}

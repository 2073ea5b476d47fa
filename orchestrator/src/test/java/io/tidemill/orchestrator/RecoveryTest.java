package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.Trigger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecoveryTest {
  @Test
  void aRunThatDiesAtAnyWriteIsContinuedWithTheSameBatches() {
    List<Integer> untouched = published(mill());
    for (int write = 0; write <= 8; write++) {
      Mill before = mill();
      before.register.dieBeforeWrite = write;
      assertThat(published(before)).as("died before write %s", write).isEqualTo(untouched);

      Mill after = mill();
      after.register.dieAfterWrite = write;
      assertThat(published(after)).as("died after write %s", write).isEqualTo(untouched);
    }
  }

  /** Runs to the end, dying on the way; the number of outputs per batch. */
  private static List<Integer> published(Mill mill) {
    try {
      mill.openAndRun();
    } catch (CountingRegister.Death e) {
      mill.register.dieBeforeWrite = -1;
      mill.register.dieAfterWrite = -1;
      mill.kill();
      mill.openAndRun();
    }
    assertThatReplaysAreEqual(mill.functions.requests);
    return mill.sink.batches.values().stream().map(List::size).toList();
  }

  private static void assertThatReplaysAreEqual(List<TaskRequest> requests) {
    Map<Object, TaskRequest> first = new HashMap<>();
    for (TaskRequest request : requests) {
      TaskRequest original = first.putIfAbsent(request.task(), request);
      if (original != null) {
        assertThat(request.replay()).isTrue();
        assertThat(request.attempt()).isNotEqualTo(original.attempt());
        assertThat(work(request)).isEqualTo(work(original));
      }
    }
  }

  /** What a request asks for, whoever asks. */
  private static String work(TaskRequest r) {
    BatchContext b = r.batch();
    BatchContext anyRun =
        new BatchContext(
            b.query(),
            b.timeline(),
            Epoch.FIRST,
            b.batch(),
            b.timestampMillis(),
            b.seed(),
            b.late(),
            b.eviction());
    return Json.write(
        new TaskRequest(
            anyRun,
            r.task(),
            new AttemptId("any"),
            r.checkpoint(),
            r.planFingerprint(),
            r.stages(),
            r.splits(),
            r.shuffles(),
            r.buckets(),
            r.state(),
            r.inlineShuffleBytes(),
            true));
  }

  private static Mill mill() {
    Mill mill =
        new Mill(Plans.aggregate(1, OutputMode.UPDATE, Plans.settings(Trigger.availableNow())));
    mill.source().limit = 2;
    mill.source().add(100, 200, 300, 400, 500);
    return mill;
  }

  @Test
  void aTaskThatWasRecordedIsNotAskedToDoItsWorkAgain() {
    Mill mill = mill();
    mill.register.dieBeforeWrite = 1;
    assertThatThrownBy(mill::openAndRun).isInstanceOf(CountingRegister.Death.class);
    mill.register.dieBeforeWrite = -1;
    mill.kill();

    mill.openAndRun();

    assertThat(mill.functions.requests.get(1).task())
        .isEqualTo(mill.functions.requests.get(0).task());
    assertThat(mill.functions.requests.get(1).replay()).isTrue();
    assertThat(mill.functions.requests.get(2).replay()).isFalse();
  }

  @Test
  void aFailedPublicationFailsTheRunAndTheNextRunRedoesIt() {
    Mill mill = mill();
    mill.sink.broken = true;
    SteppedRun run = mill.open();
    assertThatThrownBy(() -> mill.run(run))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SINK_UNAVAILABLE));
    run.abandon();
    assertThat(mill.head().committed().publication()).isPresent();

    mill.sink.broken = false;
    mill.openAndRun();

    assertThat(mill.sink.calls).startsWith(0L, 0L, 1L);
    assertThat(mill.sink.batches).containsOnlyKeys(0L, 1L, 2L, 3L);
  }

  @Test
  void aPublicationIsNotRedoneAfterAGoodEnd() {
    Mill mill = mill();
    mill.openAndRun();
    assertThat(mill.head().committed().publication()).isEmpty();
    int calls = mill.sink.calls.size();

    mill.openAndRun();

    assertThat(mill.sink.calls).hasSize(calls);
  }

  @Test
  void aPublicationIsRedoneOnlyAfterTheEpochIsTaken() {
    Mill mill = mill();
    mill.register.dieAfterWrite = 2;
    assertThatThrownBy(mill::openAndRun).isInstanceOf(CountingRegister.Death.class);
    mill.kill();
    mill.register.dieBeforeWrite = 2;

    assertThatThrownBy(mill::openAndRun).isInstanceOf(CountingRegister.Death.class);

    assertThat(mill.sink.calls).isEmpty();
  }

  @Test
  void aSourceThatCannotCleanUpDoesNotStopTheQuery() {
    Mill mill = mill();
    mill.source().cannotCleanUp = true;
    mill.openAndRun();
    assertThat(mill.batches()).hasSize(4);

    mill.source().cannotCleanUp = false;
    mill.source().add(600);
    mill.openAndRun();
    assertThat(mill.source().committed).contains(6L);
  }

  @Test
  void aSourceThatFailsWhilePlanningAheadDoesNotCostTheBatch() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    mill.source().add(1);
    mill.functions.hold = true;
    SteppedRun run = mill.open();
    mill.run(run);
    mill.source().broken = true;
    mill.functions.hold = false;
    mill.functions.held.get(0).complete(mill.functions.run(mill.functions.requests.get(0)));

    assertThatThrownBy(() -> mill.run(run))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_UNAVAILABLE));

    assertThat(mill.sink.batches).containsOnlyKeys(0L);
    assertThat(mill.head().committed().batch()).isPresent();
  }

  @Test
  void aRunWithALivingLeaseKeepsASecondOneAway() {
    Mill mill = mill();
    mill.functions.hold = true;
    mill.openAndRun();

    assertThatThrownBy(mill::open)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.FENCED);
              assertThat(e.fields().get("owner").toString()).startsWith("owner0/");
            });
  }

  @Test
  void theOlderOfTwoRunsIsFencedAndPublishesNothing() {
    Mill mill = mill();
    mill.functions.hold = true;
    SteppedRun older = mill.openAndRun();
    mill.force = true;
    mill.functions.hold = false;
    mill.openAndRun();
    List<Long> published = List.copyOf(mill.sink.calls);

    mill.functions.held.get(0).complete(mill.functions.run(mill.functions.requests.get(0)));
    assertThatThrownBy(() -> mill.run(older))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    older.abandon();

    assertThat(mill.sink.calls).isEqualTo(published);
    assertThat(mill.head().committed().positions()).containsExactly(FakeSource.position(5));
  }

  @Test
  void twoRunsThatPlanAtOnceDoNotBothPlan() {
    Mill mill = mill();
    SteppedRun one = mill.open();
    SteppedRun other = mill.open();
    mill.run(one);

    assertThatThrownBy(() -> mill.run(other))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
    assertThat(mill.sink.calls).containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void aLongBatchKeepsItsLease() {
    Mill mill = mill();
    mill.functions.hold = true;
    SteppedRun run = mill.open();
    Next next = mill.run(run);
    for (int times = 0; times < 10; times++) {
      next = mill.runLater(run, next);
    }

    assertThat(mill.clock.millis()).isGreaterThan(Mill.START_MILLIS + 200_000);
    assertThatThrownBy(mill::open)
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FENCED));
  }

  @Test
  void theNextBatchWorksBeforeTheOneBeforeItIsPublishedButIsCommittedAfter() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.openAndCommitFirstOfThree();
    mill.sink.broken = true;

    assertThat(mill.functions.held).as("a task of batch 1").hasSize(2);
    assertThatThrownBy(() -> mill.run(run)).isInstanceOf(TidemillException.class);
    run.abandon();
    assertThat(mill.functions.held.get(1).isCancelled()).isTrue();
    assertThat(mill.head().committed().batch()).contains(BatchId.FIRST);

    mill.sink.broken = false;
    mill.functions.hold = false;
    mill.openAndRun();
    assertThat(mill.sink.calls).containsExactly(0L, 0L, 1L, 2L);
  }
}

package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.plan.Trigger;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BatchRunTest {
  private final Mill mill =
      new Mill(Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.once())));

  @Test
  void aLargeBatchRunsStageAfterStage() {
    large();

    mill.openAndRun();

    assertThat(paths())
        .containsExactly(
            "0/0000000000/s0/p0", "0/0000000000/s0/p1", "0/0000000000/s1/p0", "0/0000000000/s1/p1");
    List<TaskRequest> requests = mill.functions.requests;
    assertThat(requests.get(0).splits()).hasSize(2);
    assertThat(requests.get(2).shuffles()).hasSize(2).isEqualTo(requests.get(3).shuffles());
    assertThat(requests.get(2).buckets()).isEqualTo(new Buckets(0, 512));
    assertThat(requests.get(3).buckets()).isEqualTo(new Buckets(512, 1024));
    assertThat(mill.head().committed().state(1).rows()).isEqualTo(8);
    assertThat(mill.head().committed().state(1).segments()).hasSize(2);
  }

  @Test
  void aStageWaitsForTheOneBeforeIt() {
    large();
    mill.functions.hold = true;
    SteppedRun run = mill.openAndRun();
    assertThat(paths()).hasSize(2);

    complete(1);
    mill.run(run);
    assertThat(paths()).hasSize(2);
    complete(0);
    mill.run(run);
    assertThat(paths()).hasSize(4);
  }

  @Test
  void shuffleFilesGoOnceTheBatchIsPublished() {
    large();
    mill.openAndRun();
    assertThat(mill.blob.list("shuffle/", "", 10)).isEmpty();
  }

  @Test
  void aReplayRunsTheShardsThatWereDecidedFirst() {
    large();
    mill.functions.hold = true;
    SteppedRun run = mill.openAndRun();
    complete(0);
    complete(1);
    mill.run(run);
    mill.kill();
    mill.functions.hold = false;
    mill.functions.parallelism = 7;
    mill.settings = new OrchestratorSettings(1, 1, 3, 200, 60_000, 10, 100, 10_000, 100, 32, 0, 0);

    mill.openAndRun();

    assertThat(paths().subList(4, 8)).isEqualTo(paths().subList(0, 4));
    assertThat(mill.head().committed().state(1).segments()).hasSize(2);
  }

  @Test
  void everyShardOfAStageWithStateRunsEvenWithoutInput() {
    mill.plan = Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.availableNow()));
    mill.functions.plan = mill.plan;
    large();
    mill.settings = new OrchestratorSettings(1, 1, 3, 200, 60_000, 10, 100, 10_000, 100, 32, 0, 0);

    mill.openAndRun();

    assertThat(paths()).endsWith("0/0000000001/s1/p0", "0/0000000001/s1/p1").hasSize(6);
    assertThat(mill.functions.requests.get(5).state().get(1).segments())
        .allMatch(s -> s.buckets().equals(new Buckets(512, 1024)));
  }

  @Test
  void aStageWithoutInputAndStateDoesNotRun() {
    large();
    mill.functions.filtersAll = true;

    mill.openAndRun();

    assertThat(paths()).containsExactly("0/0000000000/s0/p0", "0/0000000000/s0/p1");
    assertThat(mill.head().committed().batch()).isPresent();
  }

  @Test
  void aGlobalAggregateRunsEvenWithoutInputAndState() {
    StatefulOperator global =
        new StatefulOperator.Aggregate(
            List.of(), List.of(), List.of(List.of()), true, Optional.empty(), OutputMode.UPDATE);
    Mill counted =
        new Mill(Plans.stateful(1, global, OutputMode.UPDATE, Plans.settings(Trigger.once())));
    counted.functions.parallelism = 4;
    counted.source().rowsPerEvent = 1_000_000;
    counted.source().rowsPerSplit = 1;
    counted.source().add(1);
    counted.functions.filtersAll = true;

    counted.openAndRun();

    assertThat(counted.functions.requests)
        .extracting(r -> r.task().path())
        .containsExactly("0/0000000000/s0/p0", "0/0000000000/s1/p0");
  }

  @Test
  void aTaskIsTriedAgainWhenSomethingOutsideDoesNotAnswer() {
    mill.source().add(1);
    for (int failure = 0; failure < 3; failure++) {
      mill.functions.failNext(ErrorCode.STORAGE_UNAVAILABLE);
    }
    SteppedRun run = mill.open();

    Next next = mill.run(run);
    for (long wait : new long[] {200, 400, 800}) {
      assertThat(next).isEqualTo(Next.waitUntil(mill.clock.millis() + wait));
      next = mill.runLater(run, next);
    }

    assertThat(next).isEqualTo(Next.ENDED);
    assertThat(mill.functions.requests)
        .extracting(TaskRequest::replay)
        .containsExactly(false, true, true, true);
    assertThat(mill.functions.requests).extracting(TaskRequest::attempt).doesNotHaveDuplicates();
    assertThat(mill.sink.batches).containsOnlyKeys(0L);
  }

  @Test
  void retriesAreBounded() {
    mill.source().add(1);
    for (int failure = 0; failure < 4; failure++) {
      mill.functions.failNext(ErrorCode.SINK_UNAVAILABLE);
    }
    SteppedRun run = mill.open();
    Next next = mill.run(run);
    next = mill.runLater(run, next);
    next = mill.runLater(run, next);
    Next last = next;

    assertFails(() -> mill.runLater(run, last), ErrorCode.SINK_UNAVAILABLE);
    assertThat(mill.functions.requests).hasSize(4);
  }

  @Test
  void whatTryingAgainDoesNotHelpFailsTheBatchAtOnce() {
    for (ErrorCode code :
        List.of(
            ErrorCode.MALFORMED_RECORD,
            ErrorCode.STATE_CORRUPT,
            ErrorCode.FENCED,
            ErrorCode.INTERNAL,
            ErrorCode.STORAGE_FULL)) {
      Mill own = new Mill(Plans.stateless(Trigger.once()));
      own.source().add(1);
      own.functions.failNext(code);

      assertFails(own::openAndRun, code);
      assertThat(own.functions.requests).hasSize(1);
    }
  }

  @Test
  void anErrorOutsideTheFamilyIsABug() {
    mill.source().add(1);
    mill.functions.failures.add(new IllegalStateException("surprise"));
    assertFails(mill::openAndRun, ErrorCode.INTERNAL);
  }

  @Test
  void aFailedBatchGivesUpItsOtherTasksAndIsRunAgainByTheNextRun() {
    large();
    mill.functions.hold = true;
    SteppedRun run = mill.openAndRun();
    mill.functions
        .held
        .get(0)
        .completeExceptionally(
            new TidemillException(ErrorCode.MALFORMED_RECORD, "A record is malformed."));
    assertFails(() -> mill.run(run), ErrorCode.MALFORMED_RECORD);
    run.abandon();
    assertThat(mill.functions.held.get(1).isCancelled()).isTrue();

    mill.functions.hold = false;
    mill.openAndRun();

    assertThat(mill.sink.batches).containsOnlyKeys(0L);
    assertThat(mill.head().committed().positions()).containsExactly(FakeSource.position(4));
  }

  @Test
  void theResultOfAnotherTaskIsRefused() {
    mill.source().add(1);
    mill.functions.hold = true;
    SteppedRun run = mill.openAndRun();
    TaskRequest asked = mill.functions.requests.get(0);
    TaskRequest other =
        new TaskRequest(
            asked.batch(),
            new TaskId(asked.task().timeline(), asked.task().batch(), 5, 5),
            asked.attempt(),
            "",
            "",
            List.of(),
            List.of(),
            List.of(),
            Buckets.ALL,
            asked.state(),
            0,
            false);
    mill.functions.held.get(0).complete(mill.functions.run(other));

    assertFails(() -> mill.run(run), ErrorCode.INTERNAL);
  }

  /** Two source tasks of two splits each, and two shards. */
  private void large() {
    mill.functions.parallelism = 2;
    mill.source().rowsPerSplit = 1;
    mill.source().rowsPerEvent = 1_000_000;
    mill.source().add(100, 200, 300, 400);
    mill.settings =
        new OrchestratorSettings(50_000, 3, 3, 200, 60_000, 10, 100, 10_000, 100, 32, 0, 0);
  }

  private void complete(int request) {
    mill.functions
        .held
        .get(request)
        .complete(mill.functions.run(mill.functions.requests.get(request)));
  }

  private List<String> paths() {
    return mill.functions.requests.stream().map(r -> r.task().path()).toList();
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemillException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}

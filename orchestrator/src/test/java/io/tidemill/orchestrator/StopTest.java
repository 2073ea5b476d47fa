package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.plan.Trigger;
import org.junit.jupiter.api.Test;

/** What a run that is asked to stop still does, and what it leaves to the next one. */
class StopTest {
  @Test
  void aGracefulStopFinishesTheBatchAndPlansNoOther() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.openWithFirstOfThreeHeld();

    run.requestStop();
    mill.finishFirst();
    assertThat(mill.run(run)).isEqualTo(Next.ENDED);

    assertThat(mill.sink.batches).containsOnlyKeys(0L);
    assertThat(mill.head().planned()).isEmpty();
    assertThat(mill.head().committed().publication()).isEmpty();
    assertThat(mill.head().lease().owner()).isEmpty();
  }

  private static void theNextRunDoesTheFixedBatch(Mill mill, int itsFirstRequest) {
    assertThat(mill.sink.batches).containsOnlyKeys(0L);
    assertThat(mill.head().planned()).isPresent();
    mill.functions.hold = false;
    mill.openAndRun();
    assertThat(mill.functions.requests.get(itsFirstRequest).replay()).isTrue();
    assertThat(mill.sink.batches).containsOnlyKeys(0L, 1L, 2L);
  }

  @Test
  void aStopAfterACommitLeavesTheBatchBehindItToTheNextRun() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.openAndCommitFirstOfThree();

    run.requestStop();
    assertThat(mill.run(run)).isEqualTo(Next.ENDED);

    assertThat(mill.functions.held.get(1).isCancelled()).isTrue();
    theNextRunDoesTheFixedBatch(mill, 2);
  }

  @Test
  void aStopDuringACommitStartsNoTaskOfTheBatchThatItFixed() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.openWithFirstOfThreeHeld();

    mill.register.duringWrite = run::requestStop;
    mill.finishFirst();
    assertThat(mill.run(run)).isEqualTo(Next.ENDED);

    assertThat(mill.functions.requests).hasSize(1);
    theNextRunDoesTheFixedBatch(mill, 1);
  }

  @Test
  void aStopWhileTheNextBatchIsPlannedFixesNone() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.openWithFirstOfThreeHeld();

    mill.source().duringPlan = run::requestStop;
    mill.finishFirst();
    assertThat(mill.run(run)).isEqualTo(Next.ENDED);

    assertThat(mill.functions.requests).hasSize(1);
    assertThat(mill.sink.batches).containsOnlyKeys(0L);
    assertThat(mill.head().planned()).isEmpty();
  }

  @Test
  void aStopWhileTheFirstBatchIsPlannedFixesNone() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    mill.source().add(1);
    SteppedRun run = mill.open();

    mill.source().duringPlan = run::requestStop;
    assertThat(mill.run(run)).isEqualTo(Next.ENDED);

    assertThat(mill.functions.requests).isEmpty();
    assertThat(mill.head().planned()).isEmpty();
  }

  @Test
  void whatTasksRecordAfterAStopTheNextRunNeedNotDoAgain() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.openAndCommitFirstOfThree();
    run.requestStop();
    mill.run(run);

    TaskResult recorded = mill.functions.run(mill.functions.requests.get(1));
    SteppedRun next = mill.open();
    mill.run(next);

    // What a function does on replay: the record is there.
    TaskRequest again = mill.functions.requests.get(2);
    assertThat(again.replay()).isTrue();
    assertThat(again.task()).isEqualTo(recorded.task());
    assertThat(mill.functions.run(again)).isEqualTo(recorded);
  }
}

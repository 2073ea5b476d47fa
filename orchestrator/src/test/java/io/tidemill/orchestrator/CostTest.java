package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.Trigger;
import org.junit.jupiter.api.Test;

class CostTest {
  @Test
  void aTriggerWithNothingToDoCostsOneReadAndNoWrite() {
    Mill mill = new Mill(Plans.stateless(Trigger.availableNow()));
    mill.source().add(1);
    mill.openAndRun();
    mill.register.resetCounts();

    mill.openAndRun();

    assertThat(mill.register.reads).isEqualTo(1);
    assertThat(mill.register.writes).isZero();
  }

  @Test
  void aTriggerWithNothingToDoOpensNoSink() {
    Mill mill = new Mill(Plans.stateless(Trigger.availableNow()));
    mill.source().add(1);
    mill.openAndRun();
    assertThat(mill.sink.opened).isEqualTo(1);

    mill.openAndRun();
    assertThat(mill.sink.opened).isEqualTo(1);

    mill.source().add(2);
    mill.openAndRun();
    assertThat(mill.sink.opened).isEqualTo(2);
    assertThat(mill.batches()).containsExactly(0L, 1L);
  }

  @Test
  void aNewQueryWhoseSinkCannotBeWrittenFailsAtOnceThoughThereIsNoData() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    mill.sink.writable = false;

    assertThatThrownBy(mill::open)
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE));
    assertThat(mill.register.writes).isZero();
  }

  @Test
  void aBatchIsNotFixedWhileItsSinkCannotBeWritten() {
    Mill mill = new Mill(Plans.stateless(Trigger.availableNow()));
    mill.source().add(1);
    mill.openAndRun();
    mill.register.resetCounts();
    mill.sink.writable = false;
    mill.source().add(2);

    SteppedRun run = mill.open();
    assertThatThrownBy(() -> mill.run(run)).isInstanceOf(TidemillException.class);

    assertThat(mill.register.writes).isZero();
    assertThat(mill.head().planned()).isEmpty();
  }

  @Test
  void aPollingQueryWithNothingToDoWritesNothing() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    mill.source().add(1);
    SteppedRun run = mill.open();
    Next next = mill.run(run);
    mill.register.resetCounts();
    int objects = mill.blob.list("", "", 1_000).size();

    for (int poll = 0; poll < 50; poll++) {
      next = mill.runLater(run, next);
    }

    assertThat(mill.register.reads + mill.register.writes).isZero();
    assertThat(mill.blob.list("", "", 1_000)).hasSize(objects);
  }

  @Test
  void aBusyQueryCostsOneWritePerBatch() {
    Mill mill = new Mill(Plans.stateless(Trigger.availableNow()));
    mill.source().limit = 1;
    mill.source().add(new long[20]);

    mill.openAndRun();

    assertThat(mill.batches()).hasSize(20);
    // The plan of the first batch, twenty commits, and the end.
    assertThat(mill.register.writes).isEqualTo(22);
    assertThat(mill.register.reads).isEqualTo(1);
  }

  @Test
  void aBatchWithoutDataIsPlannedInTheCommitBefore() {
    Mill mill =
        new Mill(Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.availableNow())));
    mill.source().add(100);

    mill.openAndRun();

    assertThat(mill.batches()).hasSize(2);
    assertThat(mill.register.writes).isEqualTo(4);
  }

  @Test
  void aNewQueryWithoutDataStoresItsStartOnce() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.open();
    Next next = mill.run(run);
    mill.runLater(run, next);
    assertThat(mill.register.writes).isEqualTo(1);

    Mill scheduled = new Mill(Plans.stateless(Trigger.availableNow()));
    scheduled.openAndRun();
    scheduled.openAndRun();
    assertThat(scheduled.register.writes).isEqualTo(1);
    assertThat(scheduled.head().committed().positions()).containsExactly(FakeSource.position(0));
  }

  @Test
  void anEmptyBatchIsCommittedWithoutAPublication() {
    Mill mill = new Mill(Plans.stateless(Trigger.availableNow()));
    mill.functions.emits = false;
    mill.source().add(1);

    mill.openAndRun();

    assertThat(mill.batches()).containsExactly(0L);
    assertThat(mill.sink.calls).isEmpty();
  }

  @Test
  void anEmptyCompleteResultIsPublishedBecauseItReplacesTheOneBefore() {
    Mill mill =
        new Mill(Plans.aggregate(1, OutputMode.COMPLETE, Plans.settings(Trigger.availableNow())));
    mill.functions.emits = false;
    mill.source().add(1);

    mill.openAndRun();

    assertThat(mill.sink.batches.get(0L)).isEmpty();
  }
}

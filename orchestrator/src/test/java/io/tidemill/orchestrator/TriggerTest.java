package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.protocol.OutputMode;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.query.plan.Trigger;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TriggerTest {
  private static final Trigger EVERY_SECOND = Trigger.processingTime(Duration.ofSeconds(1));

  @Test
  void availableNowRunsBatchesWithinLimitsThenFollowsTheWatermarkThenEnds() {
    Mill mill = aggregate(Trigger.availableNow());
    mill.source().limit = 2;
    mill.source().add(100, 200, 300);

    Next next = mill.run(mill.open());

    assertThat(next).isEqualTo(Next.ENDED);
    assertThat(rows(mill)).containsExactly(2L, 1L, 0L);
    assertThat(watermarks(mill))
        .containsExactly(
            "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.190Z", "1970-01-01T00:00:00.290Z");
  }

  @Test
  void availableNowReadsNothingThatCameAfterItsStart() {
    Mill mill = new Mill(Plans.stateless(Trigger.availableNow()));
    mill.source().add(1, 2);
    SteppedRun run = mill.open();
    mill.source().add(3);

    assertThat(mill.run(run)).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(2L);
    assertThat(mill.source().asked).isEqualTo(1);
  }

  @Test
  void availableNowWithNothingNewRunsNoBatchEvenIfTheWatermarkCouldMove() {
    Mill mill = aggregate(Trigger.once());
    mill.source().add(100);
    mill.openAndRun();
    mill.plan = aggregate(Trigger.availableNow()).plan;

    assertThat(mill.run(mill.open())).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(1L);
  }

  @Test
  void theRestOfARunThatRanOutOfTimeFollowsTheWatermarkThatTheBeginningMoved() {
    Mill mill = aggregate(Trigger.availableNow());
    mill.source().add(100);
    mill.functions.hold = true;
    SteppedRun beginning = mill.openAndRun();
    beginning.requestStop();
    mill.finishFirst();
    assertThat(mill.run(beginning)).isEqualTo(Next.ENDED);
    mill.functions.hold = false;
    mill.continued = true;

    assertThat(mill.run(mill.open())).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(1L, 0L);
  }

  @Test
  void theRestOfARunOfOneBatchRunsThatBatch() {
    Mill mill = aggregate(Trigger.once());
    mill.source().add(100);
    mill.continued = true;

    assertThat(mill.run(mill.open())).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(1L);
  }

  @Test
  void availableNowFinishesAnUncommittedBatchFirst() {
    Mill mill = aggregate(Trigger.availableNow());
    mill.source().add(100);
    leaveUncommitted(mill);
    mill.source().add(200);

    assertThat(mill.run(mill.open())).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(1L, 1L, 0L);
    assertThat(mill.batches()).containsExactly(0L, 1L, 2L);
  }

  @Test
  void onceIgnoresLimitsAndRunsNoBatchWithoutData() {
    Mill mill = aggregate(Trigger.once());
    mill.source().limit = 1;
    mill.source().add(100, 200, 300);

    assertThat(mill.run(mill.open())).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(3L);
  }

  @Test
  void onceUsesTheWatermarkOfTheRunBefore() {
    Mill mill = aggregate(Trigger.once());
    mill.source().add(100);
    mill.openAndRun();
    mill.openAndRun();
    mill.source().add(200);
    mill.openAndRun();

    assertThat(rows(mill)).containsExactly(1L, 1L);
    assertThat(watermarks(mill))
        .containsExactly("1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.090Z");
  }

  @Test
  void onceWithAnUncommittedBatchOnlyRepeatsThat() {
    Mill mill = aggregate(Trigger.once());
    mill.source().add(100);
    leaveUncommitted(mill);
    mill.source().add(200);

    assertThat(mill.run(mill.open())).isEqualTo(Next.ENDED);

    assertThat(rows(mill)).containsExactly(1L);
  }

  @Test
  void theDefaultTriggerPollsMoreAndMoreSeldomUntilDataArrives() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    SteppedRun run = mill.open();
    Next next = mill.run(run);
    for (long wait : new long[] {10, 20, 40, 80, 100, 100}) {
      assertThat(next).isEqualTo(Next.waitUntil(mill.clock.millis() + wait));
      next = mill.runLater(run, next);
    }

    mill.source().add(1);
    next = mill.runLater(run, next);

    assertThat(rows(mill)).containsExactly(1L);
    assertThat(next).isEqualTo(Next.waitUntil(mill.clock.millis() + 10));
  }

  @Test
  void theDefaultTriggerRunsBatchesWithoutDataAtOnce() {
    Mill mill = aggregate(Trigger.asFastAsPossible());
    mill.source().add(100);

    mill.run(mill.open());

    assertThat(rows(mill)).containsExactly(1L, 0L);
  }

  @Test
  void ticksAreMultiplesOfTheIntervalSinceTheEpoch() {
    Mill mill = new Mill(Plans.stateless(EVERY_SECOND));
    mill.clock.set(10_300);
    mill.source().add(1);
    SteppedRun run = mill.open();

    Next next = mill.run(run);
    assertThat(rows(mill)).containsExactly(1L);
    assertThat(next).isEqualTo(Next.waitUntil(11_000));

    mill.source().add(2, 3);
    mill.clock.set(10_999);
    assertThat(mill.run(run)).isEqualTo(Next.waitUntil(11_000));
    assertThat(rows(mill)).containsExactly(1L);

    assertThat(mill.runLater(run, next)).isEqualTo(Next.waitUntil(12_000));
    assertThat(rows(mill)).containsExactly(1L, 2L);
  }

  @Test
  void batchesWithoutDataWaitForATick() {
    Mill mill = aggregate(EVERY_SECOND);
    mill.clock.set(10_300);
    mill.source().add(100);
    SteppedRun run = mill.open();

    Next next = mill.run(run);
    assertThat(rows(mill)).containsExactly(1L);
    mill.runLater(run, next);
    assertThat(rows(mill)).containsExactly(1L, 0L);
  }

  @Test
  void anOverrunStartsTheNextBatchAtOnceAndMissedTicksAreGone() {
    Mill mill = new Mill(Plans.stateless(EVERY_SECOND));
    mill.clock.set(10_000);
    mill.source().limit = 1;
    mill.source().add(1, 2, 3);
    mill.functions.hold = true;
    SteppedRun run = mill.open();
    mill.run(run);

    mill.clock.set(13_500);
    finishHeld(mill);
    Next next = mill.run(run);

    assertThat(rows(mill)).containsExactly(1L, 1L);
    assertThat(next).isEqualTo(Next.waitUntil(14_000));
  }

  @Test
  void idleEventsAreRare() {
    Mill mill = new Mill(Plans.stateless(Trigger.asFastAsPossible()));
    mill.source().add(1);
    SteppedRun run = mill.open();
    Next next = mill.run(run);
    while (mill.clock.millis() < Mill.START_MILLIS + 25_000) {
      next = mill.runLater(run, next);
    }

    assertThat(mill.idleAt).hasSize(2);
  }

  @Test
  void theWatermarkIsNotWorthABatchIfTheSettingSaysSo() {
    QuerySettings off = new QuerySettings(Trigger.availableNow(), "", false, "min", 0, 100);
    Mill mill = new Mill(Plans.aggregate(1, OutputMode.APPEND, off));
    mill.source().add(100);

    mill.openAndRun();

    assertThat(rows(mill)).containsExactly(1L);
  }

  @Test
  void completeModeRunsNoBatchWithoutData() {
    Mill mill =
        new Mill(Plans.aggregate(1, OutputMode.COMPLETE, Plans.settings(Trigger.availableNow())));
    mill.source().add(100);

    mill.openAndRun();

    assertThat(rows(mill)).containsExactly(1L);
  }

  private static Mill aggregate(Trigger trigger) {
    return new Mill(Plans.aggregate(1, OutputMode.APPEND, Plans.settings(trigger)));
  }

  /** Plans a batch, and dies before it is committed. */
  private static void leaveUncommitted(Mill mill) {
    mill.functions.hold = true;
    mill.openAndRun();
    mill.functions.hold = false;
    mill.kill();
  }

  private static void finishHeld(Mill mill) {
    mill.functions.hold = false;
    mill.functions.held.get(0).complete(mill.functions.run(mill.functions.requests.get(0)));
  }

  private static List<Long> rows(Mill mill) {
    return mill.progress.stream().map(QueryProgress::numInputRows).toList();
  }

  private static List<String> watermarks(Mill mill) {
    return mill.progress.stream().map(p -> p.eventTime().orElseThrow().watermark()).toList();
  }
}

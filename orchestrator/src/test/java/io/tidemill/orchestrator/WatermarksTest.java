package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.checkpoint.InputActivity;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatermarksTest {
  private static final Trigger TRIGGER = Trigger.asFastAsPossible();

  @Test
  void theLeastOfTheInputsCounts() {
    assertThat(of("min", 0).global(Watermark.NONE, activity(100L, 50L)))
        .isEqualTo(Watermark.ofMillis(40));
  }

  @Test
  void theGreatestOfTheInputsCountsIfThePolicySaysSo() {
    assertThat(of("max", 0).global(Watermark.NONE, activity(100L, 50L)))
        .isEqualTo(Watermark.ofMillis(90));
  }

  @Test
  void anInputThatNeverHadDataHoldsTheLeastAtNone() {
    assertThat(of("min", 0).global(Watermark.NONE, activity(100L, null)).isNone()).isTrue();
    assertThat(of("max", 0).global(Watermark.NONE, activity(100L, null)))
        .isEqualTo(Watermark.ofMillis(90));
  }

  @Test
  void theWatermarkNeverGoesBack() {
    assertThat(of("min", 0).global(Watermark.ofMillis(70), activity(100L, 50L)))
        .isEqualTo(Watermark.ofMillis(70));
  }

  @Test
  void eventTimesAreCutToMillisecondsTowardsThePast() {
    List<InputActivity> after =
        Watermarks.after(
            List.of(new InputActivity(Optional.empty(), 0)), List.of(stats(-1_500L)), 7);
    assertThat(after).containsExactly(new InputActivity(Optional.of(-2L), 7));
  }

  @Test
  void aBatchWithoutRowsLeavesAnInputAsItWas() {
    InputActivity before = new InputActivity(Optional.of(5L), 3);
    assertThat(Watermarks.after(List.of(before), List.of(SourceStats.none(0)), 7))
        .containsExactly(before);
  }

  @Test
  void anIdleInputThatIsReadToItsEndDoesNotHoldTheLeast() {
    Watermarks watermarks = of("min", 100);
    List<InputActivity> activity =
        List.of(
            new InputActivity(Optional.of(500L), 1_000), new InputActivity(Optional.empty(), 900));

    assertThat(watermarks.global(Watermark.NONE, activity, i -> true, 999).isNone()).isTrue();
    assertThat(watermarks.global(Watermark.NONE, activity, i -> true, 1_000))
        .isEqualTo(Watermark.ofMillis(490));
    assertThat(watermarks.global(Watermark.NONE, activity, i -> i == 0, 1_000).isNone())
        .as("input 1 has rows that nobody read yet")
        .isTrue();
  }

  @Test
  void ifAllInputsAreIdleAllCount() {
    List<InputActivity> activity =
        List.of(new InputActivity(Optional.of(500L), 0), new InputActivity(Optional.of(90L), 0));
    assertThat(of("min", 100).global(Watermark.NONE, activity, i -> true, 1_000))
        .isEqualTo(Watermark.ofMillis(80));
  }

  @Test
  void latenessLagsOneBatchBehindEviction() {
    Mill mill = mill(1, "min", 0);
    SteppedRun run = mill.open();
    for (long time : new long[] {100, 200, 300}) {
      mill.source().add(time);
      mill.clock.advance(1_000);
      mill.run(run);
    }

    assertThat(mill.functions.requests)
        .extracting(r -> r.batch().late())
        .containsExactly(Watermark.NONE, Watermark.NONE, at(90), at(90), at(190), at(190));
    assertThat(mill.functions.requests)
        .extracting(r -> r.batch().eviction())
        .containsExactly(Watermark.NONE, at(90), at(90), at(190), at(190), at(290));
  }

  @Test
  void greatestEventTimesSurviveARestart() {
    Mill mill = mill(2, "min", 0);
    mill.source(0).add(600);
    mill.source(1).add(300);
    SteppedRun run = mill.openAndRun();
    run.requestStop();
    mill.clock.advance(1_000);
    mill.run(run);

    mill.source(1).add(700);
    mill.openAndRun();

    assertThat(lastRequest(mill).batch().eviction()).isEqualTo(at(590));
  }

  @Test
  void theWatermarkAndTheLateOneSurviveARestart() {
    Mill mill = mill(1, "min", 0);
    mill.source().add(100);
    SteppedRun run = mill.openAndRun();
    run.requestStop();
    mill.clock.advance(1_000);
    mill.run(run);

    mill.source().add(50);
    mill.openAndRun();

    assertThat(lastRequest(mill).batch().late()).isEqualTo(at(90));
    assertThat(lastRequest(mill).batch().eviction()).isEqualTo(at(90));
    assertThat(lastRequest(mill).splits()).hasSize(1);
  }

  @Test
  void anInputThatGoesIdleReleasesTheWatermarkWithoutNewData() {
    Mill mill = mill(2, "min", 5_000);
    mill.source(0).add(100);
    SteppedRun run = mill.openAndRun();
    mill.clock.advance(4_000);
    mill.source(0).add(200);
    mill.run(run);
    assertThat(mill.head().committed().next().isNone()).isTrue();

    mill.clock.advance(1_000);
    mill.run(run);

    assertThat(lastRequest(mill).batch().eviction()).isEqualTo(at(190));
    assertThat(lastRequest(mill).splits()).isEmpty();
  }

  private static TaskRequest lastRequest(Mill mill) {
    return mill.functions.requests.get(mill.functions.requests.size() - 1);
  }

  private static Mill mill(int sources, String policy, long idleTimeoutMillis) {
    return new Mill(
        Plans.aggregate(
            sources, OutputMode.UPDATE, Plans.settings(TRIGGER, policy, idleTimeoutMillis)));
  }

  private static Watermarks of(String policy, long idleTimeoutMillis) {
    return new Watermarks(mill(2, policy, idleTimeoutMillis).plan);
  }

  private static Watermark at(long millis) {
    return Watermark.ofMillis(millis);
  }

  private static List<InputActivity> activity(Long first, Long second) {
    return List.of(
        new InputActivity(Optional.ofNullable(first), 0),
        new InputActivity(Optional.ofNullable(second), 0));
  }

  private static SourceStats stats(long maxMicros) {
    return new SourceStats(0, 1, 0, maxMicros, maxMicros, 0, 1, Map.of());
  }
}

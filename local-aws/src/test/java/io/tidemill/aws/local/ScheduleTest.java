package io.tidemill.aws.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.Trigger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rate(1 minute)            | 43200
          rate(15 minutes)          | 2880
          rate(2 hours)             | 360
          rate(3 days)              | 10
          cron(0 6 * * ? *)         | 30
          cron(*/10 8-17 * * ? *)   | 1800
          cron(0 0 1 * ? *)         | 0.98630136986
          cron(15 10 ? * 6L *)      | 0.98630136986
          """)
  void aCommentSaysHowOften(String schedule, double perMonth) {
    Schedule found =
        Schedule.of("-- A job.\n  -- schedule: " + schedule + " \nSELECT 1;", Trigger.once())
            .orElseThrow();

    assertThat(found.text()).isEqualTo(schedule);
    assertThat(found.triggersPerMonth()).isCloseTo(perMonth, within(1e-6));
    assertThat(found.loops()).isFalse();
  }

  @Test
  void withoutACommentTheIntervalOfTheTriggerSays() {
    Trigger ninetySeconds = Trigger.processingTime(Duration.ofSeconds(90));

    assertThat(Schedule.of("", ninetySeconds))
        .contains(new Schedule("rate(2 minutes)", 21_600, false));
    assertThat(Schedule.of("", Trigger.availableNow())).isEmpty();
    assertThat(Schedule.of("", Trigger.once())).isEmpty();
  }

  @Test
  void shortIntervalsLoopInsideTheOrchestrator() {
    Trigger tenSeconds = Trigger.processingTime(Duration.ofSeconds(10));

    assertThat(Schedule.of("", tenSeconds)).contains(new Schedule("rate(1 minute)", 43_200, true));
    assertThat(Schedule.of("-- schedule: rate(1 hour)", Trigger.asFastAsPossible()))
        .contains(new Schedule("rate(1 hour)", 720, true));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          every day
          rate(0 minutes)
          rate(5 seconds)
          cron(61 0 1 * ? *)
          cron(0 6)
          """)
  void anythingElseIsAMistake(String schedule) {
    assertThatThrownBy(() -> Schedule.of("-- schedule: " + schedule, Trigger.once()))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION));
  }
}

package io.tidemill.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch of two source tasks, of which the second does not come to an end. */
class StragglerTest {
  private static final long STRAGGLER_MIN_MILLIS = 1_000;

  private final Mill mill =
      new Mill(Plans.aggregate(1, OutputMode.APPEND, Plans.settings(Trigger.once())));
  private SteppedRun run;

  @BeforeEach
  void twoTasksAtWork() {
    mill.functions.parallelism = 2;
    mill.source().rowsPerSplit = 1;
    mill.source().rowsPerEvent = 1_000_000;
    mill.source().add(100, 200);
    mill.settings =
        new OrchestratorSettings(
            50_000, 100_000, 3, 200, 60_000, 10, 100, 10_000, 100, 32, STRAGGLER_MIN_MILLIS, 0);
    mill.functions.hold = true;
    run = mill.openAndRun();
    assertThat(mill.functions.requests).hasSize(2);
  }

  @Test
  void aTaskMuchSlowerThanItsSiblingsIsInvokedASecondTime() {
    firstTaskTakes(500);
    mill.clock.advance(999);
    mill.run(run);
    assertThat(mill.functions.requests).hasSize(2);

    mill.clock.advance(1);
    mill.run(run);

    assertThat(mill.functions.requests).hasSize(3);
    TaskRequest slow = mill.functions.requests.get(1);
    TaskRequest second = mill.functions.requests.get(2);
    assertThat(second.task()).isEqualTo(slow.task());
    assertThat(second.attempt()).isNotEqualTo(slow.attempt());
    assertThat(second.replay()).isTrue();
  }

  @Test
  void theLoopAsksToBeCalledWhenATaskBecomesAStraggler() {
    firstTaskTakes(500);
    Next next = mill.run(run);
    assertThat(next.kind()).isEqualTo(Next.Kind.WAIT);
    assertThat(next.atMillis()).isEqualTo(Mill.START_MILLIS + 1_500);
  }

  @Test
  void theFirstResultCountsAndTheOtherInvocationIsGivenUp() {
    straggle();
    complete(2);
    mill.run(run);
    assertThat(mill.functions.held.get(1).isCancelled()).isTrue();
  }

  @Test
  void aLostInvocationIsForgivenWhileTheOtherIsAtWork() {
    straggle();
    mill.functions
        .held
        .get(1)
        .completeExceptionally(
            new TidemillException(ErrorCode.FUNCTION_UNAVAILABLE, "The reply did not come."));
    mill.run(run);
    assertThat(mill.functions.requests).hasSize(3);

    mill.functions.hold = false;
    complete(2);
    mill.run(run);
    assertThat(mill.head().committed().batch()).isPresent();
  }

  @Test
  void thereIsNoSecondInvocationUntilOthersAreDone() {
    mill.clock.advance(10 * STRAGGLER_MIN_MILLIS);
    mill.run(run);
    assertThat(mill.functions.requests).hasSize(2);
  }

  private void straggle() {
    firstTaskTakes(100);
    mill.clock.advance(STRAGGLER_MIN_MILLIS);
    mill.run(run);
    assertThat(mill.functions.requests).hasSize(3);
  }

  private void firstTaskTakes(long millis) {
    mill.clock.advance(millis);
    complete(0);
    mill.run(run);
  }

  private void complete(int request) {
    mill.functions
        .held
        .get(request)
        .complete(mill.functions.run(mill.functions.requests.get(request)));
  }
}

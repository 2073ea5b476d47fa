package io.tidemill.aws.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.host.Watch.Ending;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunAnswersTest {
  private static Ending failed(String message) {
    return new Ending(Json.bytes(Map.of("errorMessage", message)), true, 1);
  }

  @Test
  void theErrorOfARunHasTheCodeThatItsTextNames() {
    TidemillException thrown =
        new TidemillException(ErrorCode.CHECKPOINT_MISMATCH, "The job has changed.")
            .with("query", "revenue")
            .with("code", ErrorCode.CHECKPOINT_MISMATCH.name());

    TidemillException error = RunAnswers.error(failed(thrown.getMessage()));

    assertThat(error.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH);
    assertThat(error.text()).contains("The job has changed.").contains("query=revenue");
  }

  @Test
  void anyOtherErrorIsInternal() {
    assertThat(RunAnswers.error(failed("Runtime exited")).code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(RunAnswers.error(failed("x [code=NO_SUCH]")).code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(RunAnswers.error(new Ending(new byte[0], true, 1)).code())
        .isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void theEndOfAProcessIsToldWithTheLogThatSaysWhy() {
    byte[] answer =
        Json.bytes(Map.of("errorType", "Runtime.ExitError", "errorMessage", "status 3"));

    TidemillException error = RunAnswers.error(new Ending(answer, true, 1));

    assertThat(error.code()).isEqualTo(ErrorCode.INTERNAL);
    assertThat(error).hasMessageContaining("functions.log").hasMessageContaining("status 3");
  }

  @Test
  void aFailureHasNoOutcome() {
    Ending continued =
        new Ending("{\"outcome\":\"continued\"}".getBytes(StandardCharsets.UTF_8), false, 1);

    assertThat(RunAnswers.isContinued(continued)).isTrue();
    assertThat(RunAnswers.isContinued(failed("x"))).isFalse();
  }
}

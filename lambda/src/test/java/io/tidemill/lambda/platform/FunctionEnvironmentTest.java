package io.tidemill.lambda.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FunctionEnvironmentTest {
  @Test
  void nothingIsNeeded() {
    assertThat(FunctionEnvironment.of(Map.of("PATH", "/bin")))
        .isEqualTo(
            new FunctionEnvironment(
                Optional.empty(), Optional.empty(), 100, 900, 60, 60, 50_000, 100_000, 16_384));
  }

  @Test
  void everySettingHasAVariable() {
    Map<String, String> all =
        Map.of(
            "TIDEMILL_JOBS", "s3://b/jobs/",
            "TIDEMILL_BATCH_FUNCTION", "batch:live",
            "TIDEMILL_TASK_CONCURRENCY", "200",
            "TIDEMILL_TASK_TIMEOUT_SECONDS", "300",
            "TIDEMILL_STOP_MARGIN_SECONDS", "30",
            "TIDEMILL_LEASE_SECONDS", "20",
            "TIDEMILL_WHOLE_BATCH_ROWS", "0",
            "TIDEMILL_SHARD_ROWS", "5",
            "TIDEMILL_INLINE_SHUFFLE_BYTES", "1",
            "TIDEMILL_CHECKPOINT_TABLE", "heads");
    assertThat(FunctionEnvironment.of(all))
        .isEqualTo(
            new FunctionEnvironment(
                Optional.of("s3://b/jobs/"), Optional.of("batch:live"), 200, 300, 30, 20, 0, 5, 1));
  }

  @Test
  void anUnknownVariableIsRefusedWithTheNearestKnownOne() {
    assertThatThrownBy(() -> FunctionEnvironment.of(Map.of("TIDEMILL_LEASE_SECOND", "5")))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION);
              assertThat(e.text()).contains("'TIDEMILL_LEASE_SECONDS'");
            });
  }

  @Test
  void aNumberOutOfBoundsIsRefused() {
    for (String value : new String[] {"0", "1001", "-1", "many"}) {
      assertThatThrownBy(() -> FunctionEnvironment.of(Map.of("TIDEMILL_TASK_CONCURRENCY", value)))
          .isInstanceOf(TidemillException.class);
    }
  }
}

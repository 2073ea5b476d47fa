package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoOrdersTest {
  @ParameterizedTest
  @ValueSource(longs = {-5, 0, 1_000_000_001})
  void aNumberOfOrdersThatCannotBeMadeIsAMistakeOfTheUser(long records) {
    assertThatThrownBy(() -> DemoOrders.settings(records))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION));
  }

  @Test
  void aSingleOrderIsEnough() {
    assertThat(DemoOrders.settings(1).records()).isEqualTo(1);
  }
}

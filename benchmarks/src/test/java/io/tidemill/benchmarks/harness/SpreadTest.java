package io.tidemill.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
    assertThat(Spread.of(List.of(9.0, 1.0, 3.0, 5.0))).isEqualTo(new Spread(1, 4, 9, 4));
  }

  @Test
  void theMedianOfAnOddNumberIsTheMiddleOne() {
    assertThat(Spread.of(List.of(9.0, 1.0, 3.0)).text("%.1f")).isEqualTo("3.0 [1.0 .. 9.0]");
  }
}

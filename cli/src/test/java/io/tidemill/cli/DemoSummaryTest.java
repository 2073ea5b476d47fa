package io.tidemill.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.protocol.Json;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoSummaryTest {
  private static final ExpectedRevenue EXPECTED =
      new ExpectedRevenue(100, 3, 2, 1, 4, 50, 60, new BigDecimal("12.30"));
  private static final DemoSummary RIGHT =
      new DemoSummary(100, 3, 2, 9, 50, new BigDecimal("12.3"), new BigDecimal("12.30"), 1.5);

  @Test
  void equalTotalsHaveNoDifference() {
    assertThat(RIGHT.differences(result(60, 3), EXPECTED)).isEmpty();
  }

  @Test
  void everyDifferenceIsNamed() {
    DemoSummary wrong =
        new DemoSummary(99, 4, 1, 9, 51, new BigDecimal("12.31"), new BigDecimal("12.30"), 1.5);

    assertThat(wrong.differences(result(61, 3), EXPECTED))
        .containsExactly(
            "records read: 99, expected 100",
            "malformed records: 4, expected 3",
            "records in the dead-letter sink: 3, expected 4",
            "late orders: 1, expected 2",
            "rows of the result: 51, expected 50",
            "orders in the result: 61, expected 60",
            "revenue: 12.31, expected 12.30");
  }

  @Test
  void lastLineIsOneObjectWithTheFieldsInOrder() {
    assertThat(Json.write(RIGHT))
        .isEqualTo(
            "{\"records\":100,\"malformed\":3,\"late\":2,\"batches\":9,\"rowsOut\":50,"
                + "\"revenueTotal\":12.3,\"expectedRevenueTotal\":12.30,\"seconds\":1.5}");
  }

  private static DemoResult result(long orders, long rejected) {
    return new DemoResult(50, orders, new BigDecimal("12.3"), rejected, List.of());
  }
}

package io.tidemill.aws.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PricesTest {
  private static final double CLOSE = 1e-12;

  /** One unit of each price in turn, in powers of ten. */
  private static final Prices PLAIN = new Prices(1, 1e6 * 10, 1e6 * 100, 1e6 * 1e3, 1e7, 1e8, 1e6);

  @Test
  void eachPriceIsTimesWhatItIsFor() {
    Usage used = new Usage(2, 5_000, 3_000L * 1_024, 99, 99, 4, 5, 6, 7, 123);

    assertThat(PLAIN.dollars(used))
        .isCloseTo(3 + 2 * 10 + 4 * 100 + 5 * 1e3 + 6 * 1e4 + 7 * 1e5, within(CLOSE));
  }

  @Test
  void idleTriggersCostTheirScheduleToo() {
    assertThat(PLAIN.idleDollars(10, Usage.invocation(50))).isCloseTo(110, within(CLOSE));
  }

  @Test
  void armIsAFifthCheaper() {
    assertThat(Prices.of("arm64").gigabyteSecond() / Prices.of("x86_64").gigabyteSecond())
        .isCloseTo(0.8, within(0.001));
  }

  @Test
  void listPricesAreThoseOfTheDocument() {
    Prices prices = Prices.of("arm64");
    Usage anHourAtAGigabyte = new Usage(0, 0, 3_600_000L * 1_024, 0, 0, 0, 0, 0, 0, 0);

    assertThat(prices.dollars(anHourAtAGigabyte)).isCloseTo(0.04800024, within(CLOSE));
    assertThat(prices.dollars(new Usage(1_000_000, 0, 0, 0, 0, 1e6, 1e6, 1_000, 1_000, 0)))
        .isCloseTo(0.20 + 0.125 + 0.625 + 0.005 + 0.0004, within(CLOSE));
  }

  @Test
  void aPriceIsNotNegative() {
    assertThatThrownBy(() -> new Prices(0, 0, -1, 0, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

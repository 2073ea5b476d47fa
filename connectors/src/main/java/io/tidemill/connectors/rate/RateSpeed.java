package io.tidemill.connectors.rate;

/**
 * How many rows are due when.
 *
 * @param rowsPerSecond full speed
 * @param rampUpSeconds seconds until full speed; the speed grows by the same amount each second
 */
record RateSpeed(long rowsPerSecond, long rampUpSeconds) {
  /**
   * Rows due in all after so many seconds. Spark 4.2: while ramping up, the speed of second s is s
   * times the growth, which is cut to whole rows.
   */
  long rowsAfter(long seconds) {
    long growth = rowsPerSecond / (rampUpSeconds + 1);
    long ramped = Math.min(seconds, rampUpSeconds);
    // Either ramped or ramped + 1 is even, so halving that one first is exact.
    long pairs =
        ramped % 2 == 0
            ? Math.multiplyExact(ramped / 2, ramped + 1)
            : Math.multiplyExact((ramped + 1) / 2, ramped);
    long atFullSpeed = Math.multiplyExact(seconds - ramped, rowsPerSecond);
    return Math.addExact(Math.multiplyExact(pairs, growth), atFullSpeed);
  }
}

package io.tidemill.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.tidemill.demo.ExpectedRevenue;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * How the demo came out; the object of its last line.
 *
 * @param records records read
 * @param malformed records that went to the dead-letter sink
 * @param late orders dropped as late
 * @param batches batches run, those without data included
 * @param rowsOut rows of the result
 * @param revenueTotal revenue of the result
 * @param expectedRevenueTotal revenue that the generator knows of
 * @param seconds time from the start of the query to its end
 */
@JsonPropertyOrder({
  "records",
  "malformed",
  "late",
  "batches",
  "rowsOut",
  "revenueTotal",
  "expectedRevenueTotal",
  "seconds"
})
record DemoSummary(
    long records,
    long malformed,
    long late,
    long batches,
    long rowsOut,
    BigDecimal revenueTotal,
    BigDecimal expectedRevenueTotal,
    double seconds) {

  static DemoSummary of(
      JobTotals totals, DemoResult result, ExpectedRevenue expected, double seconds) {
    return new DemoSummary(
        totals.inputRows(),
        totals.malformed(),
        totals.late(),
        totals.batches(),
        result.rows(),
        result.revenue(),
        expected.revenue(),
        seconds);
  }

  /** In words, everything that is not as the generator knows it must be. */
  List<String> differences(DemoResult result, ExpectedRevenue expected) {
    List<String> differences = new ArrayList<>();
    compare(differences, "records read", records, expected.records());
    compare(differences, "malformed records", malformed, expected.malformed());
    compare(differences, "records in the dead-letter sink", result.rejected(), malformed);
    compare(differences, "late orders", late, expected.late());
    compare(differences, "rows of the result", rowsOut, expected.rows());
    compare(differences, "orders in the result", result.orders(), expected.orders());
    if (revenueTotal.compareTo(expectedRevenueTotal) != 0) {
      differences.add("revenue: " + revenueTotal + ", expected " + expectedRevenueTotal);
    }
    return differences;
  }

  private static void compare(List<String> differences, String what, long is, long expected) {
    if (is != expected) {
      differences.add(what + ": " + is + ", expected " + expected);
    }
  }
}

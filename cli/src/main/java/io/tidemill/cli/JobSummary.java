package io.tidemill.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * What a job did.
 *
 * @param records rows read
 * @param malformed records that did not fit the declared columns
 * @param late rows dropped as late
 * @param batches batches run, those without data included
 * @param rowsOut rows written
 * @param seconds time from the start of the queries to their end
 */
@JsonPropertyOrder({"records", "malformed", "late", "batches", "rowsOut", "seconds"})
record JobSummary(
    long records, long malformed, long late, long batches, long rowsOut, double seconds) {

  static JobSummary of(JobTotals totals, double seconds) {
    return new JobSummary(
        totals.inputRows(),
        totals.malformed(),
        totals.late(),
        totals.batches(),
        totals.outputRows(),
        seconds);
  }
}

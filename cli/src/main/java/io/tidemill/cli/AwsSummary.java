package io.tidemill.cli;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * How a run through the functions came out; the object of its last line.
 *
 * @param totals a {@link DemoSummary} for the orders, a {@link JobSummary} for any other job
 * @param cost of all batches, and of runs that had nothing to do
 * @param schedule when the job is triggered; empty if nothing says
 * @param idleDollarsPerMonth what the schedule costs while there is nothing to do
 */
@JsonPropertyOrder({"totals", "cost", "schedule", "idleDollarsPerMonth"})
record AwsSummary<T>(
    @JsonUnwrapped T totals,
    @JsonUnwrapped AwsCost cost,
    Optional<String> schedule,
    Optional<BigDecimal> idleDollarsPerMonth) {

  static <T> AwsSummary<T> of(T totals, AwsCost cost, Optional<AwsIdle> idle) {
    return new AwsSummary<>(
        totals,
        cost,
        idle.map(i -> String.join(", ", i.schedules())),
        idle.map(i -> AwsCost.dollars(i.dollarsPerMonth())));
  }
}

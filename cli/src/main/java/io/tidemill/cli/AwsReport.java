package io.tidemill.cli;

import io.tidemill.demo.ExpectedRevenue;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says what a run through the functions came to. */
final class AwsReport {
  private final ProgressDisplay display;
  private final PrintStream out;
  private final boolean json;

  /**
   * @param out for the result: a table, or as JSON an object
   */
  AwsReport(ProgressDisplay display, PrintStream out, boolean json) {
    this.display = display;
    this.out = out;
    this.json = json;
  }

  /**
   * Ends a run whose result nobody knows beforehand.
   *
   * @param rows of the table, one per batch
   * @return the exit code
   */
  int end(JobSummary summary, List<String> rows, AwsCost cost, Optional<AwsIdle> idle) {
    table(rows, summary.records(), cost, idle);
    display.say(
        String.format(
            Locale.ROOT,
            "Done after %,d batches: %,d rows read, %,d written.",
            summary.batches(),
            summary.records(),
            summary.rowsOut()));
    lastLine(AwsSummary.of(summary, cost, idle));
    return ExitCode.DONE;
  }

  /**
   * Ends a run of the orders.
   *
   * @param rows of the table, one per batch
   * @return the exit code
   */
  int end(
      DemoSummary summary,
      DemoResult result,
      ExpectedRevenue expected,
      List<String> rows,
      AwsCost cost,
      Optional<AwsIdle> idle) {
    table(rows, summary.records(), cost, idle);
    List<String> differences = summary.differences(result, expected);
    differences.forEach(difference -> display.say("WRONG " + difference));
    if (differences.isEmpty()) {
      display.say(
          String.format(
              Locale.ROOT,
              "The revenue is %,.2f, and every total is what the generator says it must be.",
              summary.revenueTotal()));
    }
    lastLine(AwsSummary.of(summary, cost, idle));
    return differences.isEmpty() ? ExitCode.DONE : ExitCode.FAILED;
  }

  private void table(List<String> rows, long records, AwsCost cost, Optional<AwsIdle> idle) {
    if (json) {
      return;
    }
    display.close();
    out.println(AwsTable.header());
    rows.forEach(out::println);
    out.println(AwsTable.row("all", records, cost));
    out.println(AwsTable.LEGEND);
    out.println(
        idle.map(AwsReport::text)
            .orElse(
                "What the schedule costs while there is nothing to do is not known: the job has no line"
                    + " such as -- schedule: rate(15 minutes), or was stopped."));
  }

  private static String text(AwsIdle idle) {
    return String.format(
        Locale.ROOT,
        "While there is nothing to do, %s costs an estimated $%.4f a month.",
        String.join(", ", idle.schedules()),
        idle.dollarsPerMonth());
  }

  private void lastLine(AwsSummary<?> summary) {
    if (json) {
      display.close();
      out.println(AwsCost.json(summary));
    }
  }
}

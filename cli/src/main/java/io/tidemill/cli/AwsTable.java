package io.tidemill.cli;

import java.util.Locale;

/** Lines of the table of batches and of what they used. */
final class AwsTable {
  /** What the columns have. */
  static final String LEGEND =
      "seconds: of functions; DynamoDB: reads/writes; S3: puts/gets; payload: bytes of events and"
          + " answers";

  private AwsTable() {}

  static String header() {
    return line("batch", "rows", "invoked", "seconds", "DynamoDB", "S3", "payload", "$ estimated");
  }

  static String row(String what, long rows, AwsCost cost) {
    return line(
        what,
        number(rows),
        number(cost.invocations()),
        cost.functionSeconds().toPlainString(),
        cost.dynamoReads() + "/" + cost.dynamoWrites(),
        cost.s3Puts() + "/" + cost.s3Gets(),
        number(cost.payloadBytes()),
        cost.estimatedDollars().toPlainString());
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-16s %10s %7s %8s %9s %9s %10s %12s", cells);
  }
}

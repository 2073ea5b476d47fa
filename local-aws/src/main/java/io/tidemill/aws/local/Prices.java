package io.tidemill.aws.local;

/**
 * AWS's list prices, in dollars. What they come to is an estimate: free tiers, discounts, storage,
 * logs, metrics, alarms and traffic are left out, and times are those of the machine that runs the
 * functions.
 *
 * @param gigabyteSecond of a function
 * @param millionInvocations of functions
 * @param millionReadUnits of a DynamoDB table on demand; a consistent read of up to 4 KB is one
 * @param millionWriteUnits of a DynamoDB table on demand; a write of up to 1 KB is one
 * @param thousandPuts PUT, COPY, POST and LIST of S3 Standard
 * @param thousandGets GET and all others of S3 Standard
 * @param millionSchedules invocations by EventBridge Scheduler
 */
public record Prices(
    double gigabyteSecond,
    double millionInvocations,
    double millionReadUnits,
    double millionWriteUnits,
    double thousandPuts,
    double thousandGets,
    double millionSchedules) {

  /**
   * Prices in us-east-1, with a function on arm64. Sources: <a
   * href="https://aws.amazon.com/lambda/pricing/">Lambda</a>, <a
   * href="https://aws.amazon.com/dynamodb/pricing/on-demand/">DynamoDB on demand</a>, <a
   * href="https://aws.amazon.com/s3/pricing/">S3</a>, <a
   * href="https://aws.amazon.com/eventbridge/pricing/">EventBridge Scheduler</a>.
   */
  public static final Prices US_EAST_1_ARM64 =
      new Prices(0.0000133334, 0.20, 0.125, 0.625, 0.005, 0.0004, 1.00);

  /** The same with a function on x86_64. */
  public static final Prices US_EAST_1_X86_64 =
      new Prices(0.0000166667, 0.20, 0.125, 0.625, 0.005, 0.0004, 1.00);

  private static final double MILLION = 1e6;
  private static final double THOUSAND = 1e3;

  public Prices {
    double[] all = {
      gigabyteSecond,
      millionInvocations,
      millionReadUnits,
      millionWriteUnits,
      thousandPuts,
      thousandGets,
      millionSchedules
    };
    for (double price : all) {
      if (!(price >= 0)) {
        throw new IllegalArgumentException("a price must not be negative: " + price);
      }
    }
  }

  /** Prices for functions on a processor, named as Lambda does: arm64 or x86_64. */
  public static Prices of(String architecture) {
    return architecture.equals("arm64") ? US_EAST_1_ARM64 : US_EAST_1_X86_64;
  }

  /** What is charged for this. */
  public double dollars(Usage usage) {
    return usage.gigabyteSeconds() * gigabyteSecond
        + usage.invocations() * millionInvocations / MILLION
        + usage.readUnits() * millionReadUnits / MILLION
        + usage.writeUnits() * millionWriteUnits / MILLION
        + usage.s3Puts() * thousandPuts / THOUSAND
        + usage.s3Gets() * thousandGets / THOUSAND;
  }

  /**
   * What triggers that find nothing to do cost in a month.
   *
   * @param triggers how many there are
   * @param each what one of them uses
   */
  public double idleDollars(double triggers, Usage each) {
    return triggers * (dollars(each) + millionSchedules / MILLION);
  }
}

package io.tidemill.aws.local;

/**
 * What was used of AWS.
 *
 * @param invocations of either function
 * @param functionMillis time of those invocations, starts of processes included
 * @param megabyteMillis the same, each times the memory of its function
 * @param dynamoReads requests to DynamoDB that read
 * @param dynamoWrites requests to DynamoDB that write
 * @param readUnits what DynamoDB charged for reading
 * @param writeUnits what DynamoDB charged for writing
 * @param s3Puts requests to S3 of the dearer class: PUT, COPY, POST and LIST
 * @param s3Gets requests to S3 of the cheaper class: GET and HEAD
 * @param payloadBytes events sent to functions and answers from them
 */
public record Usage(
    long invocations,
    long functionMillis,
    long megabyteMillis,
    long dynamoReads,
    long dynamoWrites,
    double readUnits,
    double writeUnits,
    long s3Puts,
    long s3Gets,
    long payloadBytes) {
  public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** An invocation that begins. */
  static Usage invocation(long eventBytes) {
    return new Usage(1, 0, 0, 0, 0, 0, 0, 0, 0, eventBytes);
  }

  /** Time of an invocation, and what it answered. */
  static Usage time(long millis, int memoryMegabytes, long answerBytes) {
    return new Usage(0, millis, millis * memoryMegabytes, 0, 0, 0, 0, 0, 0, answerBytes);
  }

  static Usage of(Charge charge) {
    return switch (charge.kind()) {
      case DYNAMO_READ -> new Usage(0, 0, 0, 1, 0, charge.units(), 0, 0, 0, 0);
      case DYNAMO_WRITE -> new Usage(0, 0, 0, 0, 1, 0, charge.units(), 0, 0, 0);
      case S3_PUT -> new Usage(0, 0, 0, 0, 0, 0, 0, 1, 0, 0);
      case S3_GET -> new Usage(0, 0, 0, 0, 0, 0, 0, 0, 1, 0);
      case FREE -> NONE;
    };
  }

  public Usage plus(Usage other) {
    return sum(other, 1);
  }

  public Usage minus(Usage other) {
    return sum(other, -1);
  }

  private Usage sum(Usage other, int sign) {
    return new Usage(
        invocations + sign * other.invocations,
        functionMillis + sign * other.functionMillis,
        megabyteMillis + sign * other.megabyteMillis,
        dynamoReads + sign * other.dynamoReads,
        dynamoWrites + sign * other.dynamoWrites,
        readUnits + sign * other.readUnits,
        writeUnits + sign * other.writeUnits,
        s3Puts + sign * other.s3Puts,
        s3Gets + sign * other.s3Gets,
        payloadBytes + sign * other.payloadBytes);
  }

  public double functionSeconds() {
    return functionMillis / 1e3;
  }

  /** What Lambda charges beside invocations. */
  public double gigabyteSeconds() {
    return megabyteMillis / 1e3 / 1024;
  }
}

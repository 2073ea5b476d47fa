package io.tidemill.aws.local;

/**
 * One request as AWS charges it.
 *
 * @param units read or write units, for DynamoDB
 */
record Charge(Kind kind, double units) {
  /** Requests by their price. */
  enum Kind {
    DYNAMO_READ,
    DYNAMO_WRITE,
    /** PUT, COPY, POST and LIST. */
    S3_PUT,
    /** GET and HEAD. */
    S3_GET,
    /** DELETE on S3, and what only setting up asks for. */
    FREE
  }

  static final Charge NOTHING = new Charge(Kind.FREE, 0);

  static Charge of(Kind kind) {
    return new Charge(kind, 0);
  }
}

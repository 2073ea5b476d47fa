package io.tidemill.aws.local;

/** The memory that the stack gives the two functions. */
record Deployed(int orchestratorMegabytes, int batchMegabytes) {
  static final Deployed STANDARD = new Deployed(1_024, 1_769);
}

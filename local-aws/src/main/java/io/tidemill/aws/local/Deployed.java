package io.tidemill.aws.local;

/** The two functions as they are deployed, with the memory that the stack gives them. */
record Deployed(String orchestrator, int orchestratorMegabytes, String batch, int batchMegabytes) {
  static final Deployed STANDARD = new Deployed("orchestrator", 1_024, "batch", 1_769);
}

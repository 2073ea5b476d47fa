package io.tidemill.protocol;

/** What a sink promises about rows of a replayed batch. */
public enum Guarantee {
  /** One deterministic name per timeline, batch and task; a second write changes nothing. */
  EXACTLY_ONCE_BY_NAME("exactly once, by name"),
  /** Rows and batch id are committed by one transaction of the target. */
  EXACTLY_ONCE_BY_TRANSACTION("exactly once, by transaction"),
  /** Rows are guarded by a condition on the batch id. */
  EXACTLY_ONCE_BY_CONDITION("exactly once, by condition"),
  /** A replayed batch may show its rows again. */
  AT_LEAST_ONCE("at least once");

  private final String text;

  Guarantee(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }
}

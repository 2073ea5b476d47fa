package io.tidemill.protocol;

/** Source of fresh ids. Injected, so that a simulation can make them from its seed. */
@FunctionalInterface
public interface Ids {
  /** A text of letters, digits and dashes that no other call returns. */
  String next();

  default AttemptId nextAttempt() {
    return new AttemptId(next());
  }
}

package io.tidemill.host;

/** Decides what goes wrong with an invocation. Thread-safe. */
@FunctionalInterface
public interface Faults {
  /** Nothing goes wrong. */
  Faults NONE = function -> Fate.GOOD;

  /**
   * The fate of the next invocation.
   *
   * @param function its name
   */
  Fate next(String function);
}

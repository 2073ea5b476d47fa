package io.tidemill.orchestrator;

/**
 * What a loop wants after a step.
 *
 * @param atMillis for waiting: when to step again at the latest
 */
public record Next(Kind kind, long atMillis) {
  /** Kinds of wishes. */
  public enum Kind {
    /** Step again at once. */
    GO_ON,
    /** Step again at a time, or earlier if a task is done or somebody asks for something. */
    WAIT,
    /** There is nothing more to do. */
    ENDED
  }

  public static final Next GO_ON = new Next(Kind.GO_ON, 0);
  public static final Next ENDED = new Next(Kind.ENDED, 0);

  static Next waitUntil(long millis) {
    return new Next(Kind.WAIT, millis);
  }
}

package io.tidemill.host;

import java.time.Duration;
import java.util.Optional;

/**
 * What goes wrong with one invocation.
 *
 * @param throttled refused with 429
 * @param requestLost never reaches the function; the caller's connection breaks
 * @param replyLost the function runs, and the caller's connection breaks
 * @param duplicated delivered a second time, to another instance; that reply goes nowhere
 * @param killedAfter the process is killed so long after it got the invocation, if it still runs
 * @param frozen the process is stopped for some time in the middle of the invocation
 */
public record Fate(
    boolean throttled,
    boolean requestLost,
    boolean replyLost,
    boolean duplicated,
    Optional<Duration> killedAfter,
    Optional<Freeze> frozen) {
  public static final Fate GOOD =
      new Fate(false, false, false, false, Optional.empty(), Optional.empty());

  /**
   * A process is stopped in the middle of its work, as if its machine had stalled.
   *
   * @param after since it got the invocation
   */
  public record Freeze(Duration after, Duration length) {}

  /** The same for a second delivery, which is never duplicated again. */
  Fate ofDuplicate() {
    return new Fate(false, false, false, false, killedAfter, Optional.empty());
  }
}

package io.tidemill.storage;

import io.tidemill.protocol.AttemptId;
import java.util.Optional;

/**
 * A small named value with a version, changed only by compare-and-set. Thread-safe. Of any number
 * of writers that expect the same version at most one gets {@link CommitOutcome.Committed}.
 */
public interface Register extends AutoCloseable {
  /** A register nobody has written yet has this version. */
  long ABSENT = 0;

  /**
   * A value as it was at a version.
   *
   * @param version 1 after the first write, one more with each write
   * @param attempt the try that wrote it
   */
  record Versioned(long version, AttemptId attempt, byte[] value) {}

  /** The newest value, or empty if there is none. */
  Optional<Versioned> read(String name);

  /**
   * Writes the value as version {@code expectedVersion + 1} if the newest version is the expected
   * one. Unknown is reported as it is; {@link Settled} turns it into one of the other two. An
   * exception means that nothing was written.
   *
   * <p>May be repeated with the same attempt, which must be a fresh one for each value: a call
   * whose write already happened is Committed again, at least while the version it wrote or the one
   * after it is the newest.
   *
   * @param value a JSON text in UTF-8
   */
  CommitOutcome compareAndSet(String name, long expectedVersion, AttemptId attempt, byte[] value);

  /**
   * Deletes old versions, all but the newest ones, where a form keeps any. Keep many: a writer that
   * was asleep for so many versions no longer learns whether its write happened.
   *
   * @param keepNewest at least 2
   * @return how many were deleted
   */
  default int prune(String name, int keepNewest) {
    return 0;
  }

  @Override
  void close();
}

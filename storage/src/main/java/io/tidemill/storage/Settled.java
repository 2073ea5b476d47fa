package io.tidemill.storage;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Optional;

/** Turns an unknown outcome into a known one by reading back and looking for one's attempt id. */
public final class Settled {
  /** Read-backs before giving up. */
  private static final int READS_MAX = 5;

  private Settled() {}

  /**
   * Compare-and-set whose outcome is certain: Committed or Conflict. Storage that does not answer
   * the read-back either is {@code STORAGE_UNAVAILABLE}; the caller must then open anew.
   */
  public static CommitOutcome compareAndSet(
      Register register, String name, long expectedVersion, AttemptId attempt, byte[] value) {
    CommitOutcome outcome = register.compareAndSet(name, expectedVersion, attempt, value);
    for (int read = 0; outcome instanceof CommitOutcome.Unknown && read < READS_MAX; read++) {
      Optional<Register.Versioned> now = register.read(name);
      long version = now.map(Register.Versioned::version).orElse(Register.ABSENT);
      if (version == expectedVersion + 1) {
        outcome =
            now.get().attempt().equals(attempt)
                ? new CommitOutcome.Committed(version)
                : new CommitOutcome.Conflict();
      } else if (version > expectedVersion + 1) {
        // Somebody went on from ours or from another's; either way we no longer own the head.
        outcome = new CommitOutcome.Conflict();
      } else {
        outcome = register.compareAndSet(name, expectedVersion, attempt, value);
      }
    }
    if (outcome instanceof CommitOutcome.Unknown unknown) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "It is not known whether a write happened, and reading it back failed too.")
          .with("register", name)
          .with("reason", unknown.reason());
    }
    return outcome;
  }

  /** A put-if-absent whose bytes carry the attempt id: true if the object is this attempt's. */
  public static boolean putIfAbsent(Blob blob, String key, byte[] bytes) {
    for (int tried = 0; tried < READS_MAX; tried++) {
      Blob.PutOutcome outcome = blob.putIfAbsent(key, bytes);
      if (outcome == Blob.PutOutcome.COMMITTED) {
        return true;
      }
      Optional<byte[]> there = blob.get(key);
      if (there.isPresent()) {
        return java.util.Arrays.equals(there.get(), bytes);
      }
    }
    throw new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "It is not known whether an object was created, and it cannot be read back.")
        .with("key", key)
        .with("location", blob.location());
  }
}

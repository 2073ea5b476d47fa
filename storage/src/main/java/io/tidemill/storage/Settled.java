package io.tidemill.storage;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Turns an unknown outcome into a known one by asking again for one's own attempt. */
public final class Settled {
  /** Tries before giving up. */
  private static final int TRIES_MAX = 5;

  private Settled() {}

  /**
   * Compare-and-set whose outcome is certain. Storage that does not answer is {@code
   * STORAGE_UNAVAILABLE}; the caller must then open anew.
   *
   * <p>Committed means that the value was stored, even if another writer has meanwhile gone on from
   * it; that writer's next step fences the caller. Conflict after an unknown outcome means that the
   * caller does not own the newest version. If others wrote so much since that the register no
   * longer knows who wrote the version in question, it also is Conflict: the value may then have
   * been stored and replaced, which the caller learns, as after any Conflict, by reading anew.
   */
  public static CommitOutcome compareAndSet(
      Register register, String name, long expectedVersion, AttemptId attempt, byte[] value) {
    String reason = "";
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      CommitOutcome outcome = register.compareAndSet(name, expectedVersion, attempt, value);
      if (!(outcome instanceof CommitOutcome.Unknown unknown)) {
        return outcome;
      }
      reason = unknown.reason();
    }
    throw new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "It is not known whether a write happened, and asking again gave no answer. Try again"
                + " when the storage answers.")
        .with("register", name)
        .with("reason", reason);
  }

  /** A put-if-absent whose bytes carry the attempt id: true if the object is this attempt's. */
  public static boolean putIfAbsent(Blob blob, String key, byte[] bytes) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Blob.PutOutcome outcome = blob.putIfAbsent(key, bytes);
      if (outcome == Blob.PutOutcome.COMMITTED) {
        return true;
      }
      Optional<byte[]> there = blob.get(key);
      if (there.isPresent()) {
        return Arrays.equals(there.get(), bytes);
      }
    }
    throw unsettled(blob, key);
  }

  /**
   * A put-if-absent of a file whose key or content carries the attempt id: true if the object is
   * this attempt's.
   *
   * @param checksum {@link Checksum} of the file
   */
  public static boolean putFileIfAbsent(Blob blob, String key, Path file, long checksum) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      // The file is gone if an earlier try happened, in this call or in one that failed after it.
      if (Files.exists(file) && blob.putFileIfAbsent(key, file) == Blob.PutOutcome.COMMITTED) {
        return true;
      }
      Optional<Path> there = blob.localFile(key);
      if (there.isPresent()) {
        return checksum(blob, key, there.get()) == checksum;
      }
    }
    throw unsettled(blob, key);
  }

  private static long checksum(Blob blob, String key, Path file) {
    try {
      return Checksum.of(file);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE,
              "An object just written cannot be read back. Try again when the storage answers.",
              e)
          .with("key", key)
          .with("location", blob.location());
    }
  }

  private static TidemillException unsettled(Blob blob, String key) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "It is not known whether an object was created, and it cannot be read back. Try again"
                + " when the storage answers.")
        .with("key", key)
        .with("location", blob.location());
  }
}

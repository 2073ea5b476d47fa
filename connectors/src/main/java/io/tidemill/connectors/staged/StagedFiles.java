package io.tidemill.connectors.staged;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Puts and copies files of attempts. Names carry the attempt, so a taken name is one's own. */
public final class StagedFiles {
  /** Tries of a write whose outcome is not known. */
  private static final int TRIES_MAX = 3;

  private StagedFiles() {}

  /** Moves a local file into the store under a name of this attempt. Retries what is unknown. */
  public static void put(Blob blob, String key, Path file) {
    long bytes = sizeOf(file);
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Blob.PutOutcome outcome =
          Files.exists(file) ? blob.putFileIfAbsent(key, file) : Blob.PutOutcome.UNKNOWN;
      if (outcome == Blob.PutOutcome.COMMITTED || hasSize(blob, key, bytes)) {
        return;
      }
    }
    throw unsettled(blob, key);
  }

  /**
   * Copies an object to a name that only this content can have. Idempotent: if the name is taken by
   * an object of that size, it is there already.
   */
  public static void copy(Blob blob, String from, String to, long bytes) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      Blob.PutOutcome outcome = blob.copyIfAbsent(from, to);
      if (outcome == Blob.PutOutcome.COMMITTED) {
        return;
      }
      Optional<Long> size = blob.size(to);
      if (size.isPresent() && size.get() == bytes) {
        return;
      }
      if (size.isPresent()) {
        throw new TidemillException(
                ErrorCode.CHECKPOINT_MISMATCH,
                "A file to be published is there already with other content: the target belongs"
                    + " to another query or was changed by hand.")
            .with("location", blob.location())
            .with("file", to);
      }
    }
    throw unsettled(blob, to);
  }

  private static boolean hasSize(Blob blob, String key, long bytes) {
    return blob.size(key).map(size -> size == bytes).orElse(false);
  }

  private static long sizeOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "A file to be staged could not be looked at.", e)
          .with("file", file);
    }
  }

  private static TidemillException unsettled(Blob blob, String key) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "It is not known whether an object was created, and it cannot be read back.")
        .with("key", key)
        .with("location", blob.location());
  }
}

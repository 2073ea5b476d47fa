package io.tidemill.checkpoint;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import java.util.Optional;

/** Create-if-absent, where a loser takes the winner's object. */
final class FirstWins {
  /** Tries before giving up on storage that answers neither the write nor the read-back. */
  private static final int TRIES_MAX = 5;

  private FirstWins() {}

  /** Creates the object unless the key is taken, and returns what is there for ever. */
  static byte[] putOrGet(Blob blob, String key, byte[] bytes) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      if (blob.putIfAbsent(key, bytes) == Blob.PutOutcome.COMMITTED) {
        return bytes;
      }
      Optional<byte[]> there = blob.get(key);
      if (there.isPresent()) {
        return there.get();
      }
    }
    throw new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "It is not known whether an object was created, and it cannot be read back.")
        .with("key", key)
        .with("location", blob.location());
  }
}

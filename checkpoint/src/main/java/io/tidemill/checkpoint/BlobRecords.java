package io.tidemill.checkpoint;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import java.util.Optional;

/** Records that are an object each. */
final class BlobRecords implements Records {
  /** Tries before giving up on storage that answers neither the write nor the read-back. */
  private static final int TRIES_MAX = 5;

  private final Blob blob;

  BlobRecords(Blob blob) {
    this.blob = blob;
  }

  @Override
  public Optional<byte[]> read(String name) {
    return blob.get(name);
  }

  @Override
  public byte[] putOrGet(String name, byte[] value) {
    for (int tried = 0; tried < TRIES_MAX; tried++) {
      if (blob.putIfAbsent(name, value) == Blob.PutOutcome.COMMITTED) {
        return value;
      }
      Optional<byte[]> there = blob.get(name);
      if (there.isPresent()) {
        return there.get();
      }
    }
    throw new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "It is not known whether an object was created, and it cannot be read back.")
        .with("key", name)
        .with("location", blob.location());
  }
}

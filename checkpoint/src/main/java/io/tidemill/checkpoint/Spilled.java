package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.Settled;
import java.util.Optional;

/** Values too large for a register: an object of their own, to which the register refers. */
final class Spilled {
  /** Bytes up to which a value is kept in a register; an item of DynamoDB holds 400 KB. */
  static final int REGISTER_BYTES_MAX = 300_000;

  private Spilled() {}

  private record Reference(String key, int bytes, long checksum) {}

  /**
   * Writes the object.
   *
   * @param kind of the reference, as {@link StoredJson} knows it
   * @param key of the object; carries the attempt
   * @return the reference, for the register
   */
  static byte[] write(Blob blob, String kind, String key, AttemptId attempt, byte[] value) {
    if (!Settled.putIfAbsent(blob, key, value)) {
      throw new TidemillException(
              ErrorCode.INTERNAL,
              "An attempt id was used twice, so a large value could not be stored.")
          .with("key", key)
          .with("attempt", attempt);
    }
    return StoredJson.write(kind, new Reference(key, value.length, Checksum.of(value)));
  }

  /** The value of a register, or the object to which it refers. */
  static byte[] read(Blob blob, String kind, String where, byte[] stored) {
    return find(blob, kind, where, stored).orElseThrow(() -> missing(blob, kind, where, stored));
  }

  /** The same; empty if the object is gone. */
  static Optional<byte[]> find(Blob blob, String kind, String where, byte[] stored) {
    if (!StoredJson.kind(stored, where).equals(kind)) {
      return Optional.of(stored);
    }
    Reference reference = StoredJson.read(kind, stored, Reference.class, where);
    Optional<byte[]> value = blob.get(reference.key());
    value.ifPresent(bytes -> check(blob, reference, bytes));
    return value;
  }

  private static void check(Blob blob, Reference reference, byte[] value) {
    if (value.length != reference.bytes() || Checksum.of(value) != reference.checksum()) {
      throw corrupt(
          "An object that holds a large value of the checkpoint is not the one that was written."
              + " Restore it from a copy, or start the query with a new checkpoint.",
          blob,
          reference);
    }
  }

  /** The error of a register that refers to an object that is gone. */
  static TidemillException missing(Blob blob, String kind, String where, byte[] stored) {
    return corrupt(
        "An object that holds a large value of the checkpoint is missing. Restore it from a copy,"
            + " or start the query with a new checkpoint.",
        blob,
        StoredJson.read(kind, stored, Reference.class, where));
  }

  private static TidemillException corrupt(String text, Blob blob, Reference reference) {
    return new TidemillException(ErrorCode.CHECKPOINT_CORRUPT, text)
        .with("object", reference.key())
        .with("checkpoint", blob.location());
  }
}

package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.Settled;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and replaces the head of a query. A head too large for a register goes to a blob of its
 * own, and the register says where. Thread-safe.
 */
public final class HeadStore {
  /** Bytes up to which a head is kept in the register; an item of DynamoDB holds 400 KB. */
  static final int REGISTER_BYTES_MAX = 300_000;

  private static final String KIND = "head";
  private static final String KIND_REFERENCE = "head-reference";

  private final Blob blob;
  private final Register register;

  public HeadStore(Blob blob, Register register) {
    this.blob = blob;
    this.register = register;
  }

  private record Reference(String key, int bytes, long checksum) {}

  /**
   * The newest head, or empty for a query that never wrote one. Errors: {@code CHECKPOINT_NEWER},
   * {@code CHECKPOINT_CORRUPT}.
   */
  public Optional<StoredHead> read() {
    return register
        .read(CheckpointKeys.HEAD)
        .map(stored -> new StoredHead(stored.version(), decode(stored.value())));
  }

  /**
   * Puts a head in place of the one of that version.
   *
   * @param version the version it is based on, {@link Register#ABSENT} if there is none
   * @return the new version, or empty if another writer was first
   */
  OptionalLong replace(long version, AttemptId attempt, Head head) {
    byte[] value = StoredJson.write(KIND, head);
    if (value.length > REGISTER_BYTES_MAX) {
      value = spill(head, attempt, value);
    }
    CommitOutcome outcome =
        Settled.compareAndSet(register, CheckpointKeys.HEAD, version, attempt, value);
    return outcome instanceof CommitOutcome.Committed committed
        ? OptionalLong.of(committed.version())
        : OptionalLong.empty();
  }

  /** Where the checkpoint is, for messages. */
  String location() {
    return blob.location();
  }

  private byte[] spill(Head head, AttemptId attempt, byte[] value) {
    long batch = head.committed().batch().map(BatchId::value).orElse(0L);
    String key = CheckpointKeys.spilledHead(head.timeline(), batch, attempt);
    if (!Settled.putIfAbsent(blob, key, value)) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "An attempt id was used twice, so a head could not be stored.")
          .with("key", key);
    }
    return StoredJson.write(KIND_REFERENCE, new Reference(key, value.length, Checksum.of(value)));
  }

  private Head decode(byte[] value) {
    String where = CheckpointKeys.HEAD;
    if (StoredJson.kind(value, where).equals(KIND_REFERENCE)) {
      Reference reference = StoredJson.read(KIND_REFERENCE, value, Reference.class, where);
      where = reference.key();
      value = follow(reference);
    }
    return StoredJson.read(KIND, value, Head.class, where);
  }

  private byte[] follow(Reference reference) {
    byte[] value =
        blob.get(reference.key())
            .orElseThrow(
                () ->
                    new TidemillException(
                            ErrorCode.CHECKPOINT_CORRUPT,
                            "The object that holds the head is missing. Restore it from a copy, or"
                                + " start the query with a new checkpoint.")
                        .with("object", reference.key())
                        .with("checkpoint", blob.location()));
    if (value.length != reference.bytes() || Checksum.of(value) != reference.checksum()) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT,
              "The object that holds the head is not the one that was written. Restore it from a"
                  + " copy, or start the query with a new checkpoint.")
          .with("object", reference.key())
          .with("checkpoint", blob.location());
    }
    return value;
  }
}

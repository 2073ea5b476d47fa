package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.storage.Blob;
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
  private static final String KIND = "head";
  private static final String KIND_REFERENCE = "head-reference";

  /** A reader that is overtaken more often reads while the query runs through whole horizons. */
  private static final int READS_MAX = 5;

  private final Blob blob;
  private final Register register;

  public HeadStore(Blob blob, Register register) {
    this.blob = blob;
    this.register = register;
  }

  /**
   * The newest head, or empty for a query that never wrote one. Errors: {@code CHECKPOINT_NEWER},
   * {@code CHECKPOINT_CORRUPT}.
   */
  public Optional<StoredHead> read() {
    Optional<Register.Versioned> stored = register.read(CheckpointKeys.HEAD);
    for (int tried = 1; stored.isPresent(); tried++) {
      Register.Versioned one = stored.get();
      Optional<byte[]> head = Spilled.find(blob, KIND_REFERENCE, CheckpointKeys.HEAD, one.value());
      if (head.isPresent()) {
        return Optional.of(new StoredHead(one.version(), decode(head.get())));
      }
      // While this reader was asleep the query may have gone on, and the head been collected.
      stored = register.read(CheckpointKeys.HEAD).filter(s -> s.version() > one.version());
      if (stored.isEmpty() || tried == READS_MAX) {
        throw Spilled.missing(blob, KIND_REFERENCE, CheckpointKeys.HEAD, one.value());
      }
    }
    return Optional.empty();
  }

  /**
   * Puts a head in place of the one of that version.
   *
   * @param version the version it is based on, {@link Register#ABSENT} if there is none
   * @return the new version, or empty if another writer was first
   */
  OptionalLong replace(long version, AttemptId attempt, Head head) {
    byte[] value = StoredJson.write(KIND, head);
    if (value.length > Spilled.REGISTER_BYTES_MAX) {
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
    return Spilled.write(blob, KIND_REFERENCE, key, attempt, value);
  }

  private static Head decode(byte[] head) {
    return StoredJson.read(KIND, head, Head.class, CheckpointKeys.HEAD);
  }
}

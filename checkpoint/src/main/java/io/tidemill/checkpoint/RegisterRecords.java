package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.Settled;
import java.util.Optional;

/** Records that are a register each, of which only the first version is ever written. */
final class RegisterRecords implements Records {
  private static final String KIND_REFERENCE = "record-reference";
  private static final long FIRST = Register.ABSENT + 1;

  private final Register register;
  private final Blob blob;
  private final Ids ids;

  RegisterRecords(Register register, Blob blob, Ids ids) {
    this.register = register;
    this.blob = blob;
    this.ids = ids;
  }

  @Override
  public Optional<byte[]> read(String name) {
    return register.read(name).map(stored -> value(name, stored));
  }

  @Override
  public byte[] putOrGet(String name, byte[] value) {
    AttemptId attempt = ids.nextAttempt();
    byte[] stored = value.length > Spilled.REGISTER_BYTES_MAX ? spill(name, attempt, value) : value;
    CommitOutcome outcome = Settled.compareAndSet(register, name, Register.ABSENT, attempt, stored);
    if (outcome instanceof CommitOutcome.Committed) {
      return value;
    }
    return read(name)
        .orElseThrow(
            () ->
                new TidemillException(
                        ErrorCode.STORAGE_UNAVAILABLE,
                        "A record was there and is gone: its batch is long committed. Run again.")
                    .with("record", name));
  }

  private byte[] spill(String name, AttemptId attempt, byte[] value) {
    String folder = name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
    return Spilled.write(blob, KIND_REFERENCE, folder + "-" + attempt + ".json", attempt, value);
  }

  private byte[] value(String name, Register.Versioned stored) {
    if (stored.version() != FIRST) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT,
              "A record was written more than once. Restore the checkpoint from a copy.")
          .with("record", name);
    }
    return Spilled.read(blob, KIND_REFERENCE, name, stored.value());
  }
}

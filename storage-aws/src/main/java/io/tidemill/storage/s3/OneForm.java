package io.tidemill.storage.s3;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import java.util.Map;
import java.util.Optional;

/**
 * A register whose values are in one form for life: items of a table, or objects. Opened in the
 * other form it would look as if nobody had written it, and a query would start again from nothing.
 * So whoever finds it unwritten looks for the other form. Costs one request, then only.
 */
final class OneForm implements Register {
  private final Register register;
  private final Blob blob;
  private final Optional<String> table;

  /**
   * @param blob where the objects are, or a note that there is a table instead
   * @param table of the items; empty if the register is objects
   */
  OneForm(Register register, Blob blob, Optional<String> table) {
    this.register = register;
    this.blob = blob;
    this.table = table;
  }

  private static String note(String name) {
    return name + "/table.json";
  }

  @Override
  public Optional<Versioned> read(String name) {
    Optional<Versioned> value = register.read(name);
    if (value.isEmpty()) {
      requireUnwritten(name);
    }
    return value;
  }

  private void requireUnwritten(String name) {
    if (table.isPresent() && !blob.list(name + "/0", "", 1).isEmpty()) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "The checkpoint has its head in objects, but a table is named for it. Unset"
                  + " TIDEMILL_CHECKPOINT_TABLE, or name another checkpoint.")
          .with("checkpoint", blob.location())
          .with("table", table.get());
    }
    if (table.isEmpty() && blob.size(note(name)).isPresent()) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_MISMATCH,
              "The checkpoint has its head in a DynamoDB table, but none is named. Set"
                  + " TIDEMILL_CHECKPOINT_TABLE to the name that the note in the checkpoint says.")
          .with("checkpoint", blob.location())
          .with("note", note(name));
    }
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    if (expectedVersion == ABSENT && table.isPresent()) {
      // Before the item, so that no head is ever without it. Whoever was first wrote the same.
      blob.putIfAbsent(note(name), Json.bytes(Map.of("table", table.get())));
    }
    return register.compareAndSet(name, expectedVersion, attempt, value);
  }

  @Override
  public int prune(String name, int keepNewest) {
    return register.prune(name, keepNewest);
  }

  @Override
  public void close() {
    register.close();
  }
}

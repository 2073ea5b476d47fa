package io.tidemill.orchestrator;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.memory.MemoryRegister;
import java.util.Optional;

/** Counts what is asked of a register, and dies before or after a write on demand. */
final class CountingRegister implements Register {
  /** A process that is no more. */
  static final class Death extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final MemoryRegister register = new MemoryRegister();
  int reads;
  int writes;
  int dieBeforeWrite = -1;
  int dieAfterWrite = -1;

  /** Happens while a value is being written. */
  Runnable duringWrite = () -> {};

  @Override
  public Optional<Versioned> read(String name) {
    reads++;
    return register.read(name);
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    if (writes == dieBeforeWrite) {
      throw new Death();
    }
    writes++;
    duringWrite.run();
    CommitOutcome outcome = register.compareAndSet(name, expectedVersion, attempt, value);
    if (writes == dieAfterWrite) {
      throw new Death();
    }
    return outcome;
  }

  void resetCounts() {
    reads = 0;
    writes = 0;
  }

  @Override
  public void close() {}
}

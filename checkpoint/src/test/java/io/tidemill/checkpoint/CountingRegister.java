package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.memory.MemoryRegister;
import java.util.Optional;

/** Counts what is asked of a register. */
class CountingRegister implements Register {
  final MemoryRegister register = new MemoryRegister();
  int reads;
  int writes;
  int pruned = -1;

  @Override
  public Optional<Versioned> read(String name) {
    reads++;
    return register.read(name);
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    writes++;
    return register.compareAndSet(name, expectedVersion, attempt, value);
  }

  @Override
  public int prune(String name, int keepNewest) {
    pruned = keepNewest;
    return 0;
  }

  @Override
  public void close() {}
}

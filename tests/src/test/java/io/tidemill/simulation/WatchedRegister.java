package io.tidemill.simulation;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.memory.MemoryRegister;
import java.util.Optional;

/** The register itself; says when it has a new value. */
final class WatchedRegister implements Register {
  private final MemoryRegister register = new MemoryRegister();
  private Runnable onChange = () -> {};
  private long version;

  void onChange(Runnable watcher) {
    onChange = watcher;
  }

  @Override
  public Optional<Versioned> read(String name) {
    return register.read(name);
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    CommitOutcome outcome = register.compareAndSet(name, expectedVersion, attempt, value);
    // A repeated call is Committed again without a change.
    if (outcome instanceof CommitOutcome.Committed committed && committed.version() > version) {
      version = committed.version();
      onChange.run();
    }
    return outcome;
  }

  @Override
  public void close() {}
}

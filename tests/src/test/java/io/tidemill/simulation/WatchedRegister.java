package io.tidemill.simulation;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import java.util.Optional;

/** The register itself; says when it may have a new value. */
final class WatchedRegister implements Register {
  private final Register register;
  private Runnable onChange = () -> {};
  private int bytesMost;

  WatchedRegister(Register register) {
    this.register = register;
  }

  void onChange(Runnable watcher) {
    onChange = watcher;
  }

  int bytesMost() {
    return bytesMost;
  }

  @Override
  public Optional<Versioned> read(String name) {
    return register.read(name);
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    bytesMost = Math.max(bytesMost, value.length);
    CommitOutcome outcome = register.compareAndSet(name, expectedVersion, attempt, value);
    if (outcome instanceof CommitOutcome.Committed) {
      onChange.run();
    }
    return outcome;
  }

  @Override
  public void close() {}
}

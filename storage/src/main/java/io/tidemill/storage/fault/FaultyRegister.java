package io.tidemill.storage.fault;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import io.tidemill.storage.fault.FaultSource.Call;
import java.util.Optional;

/** A register whose calls go wrong as the fault source says. */
public final class FaultyRegister implements Register {
  private final Register register;
  private final FaultSource faults;

  public FaultyRegister(Register register, FaultSource faults) {
    this.register = register;
    this.faults = faults;
  }

  @Override
  public Optional<Versioned> read(String name) {
    Injected.beforeRead(faults, Call.READ, name);
    return register.read(name);
  }

  @Override
  public CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    Fault fault = faults.next(Call.CREATE, name);
    if (fault == Fault.REFUSED) {
      throw Injected.error(Call.CREATE, name, fault);
    }
    CommitOutcome outcome =
        fault.happens()
            ? register.compareAndSet(name, expectedVersion, attempt, value)
            : new CommitOutcome.Unknown("the request was lost");
    return fault == Fault.NONE ? outcome : new CommitOutcome.Unknown("the reply was lost");
  }

  @Override
  public int prune(String name, int keepNewest) {
    Injected.beforeRead(faults, Call.DELETE, name);
    return register.prune(name, keepNewest);
  }

  @Override
  public void close() {
    register.close();
  }
}

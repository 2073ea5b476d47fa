package io.tidemill.storage.fault;

import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.memory.MemoryRegister;
import java.util.SplittableRandom;

class FaultyMemoryRegisterTest extends RegisterContract {
  private final FaultyRegister register =
      new FaultyRegister(new MemoryRegister(), new SeededFaults(new SplittableRandom(3), 0.4));

  @Override
  protected Register open() {
    return register;
  }

  /** The register remembers two writers; one whose reply is lost may be overtaken by more. */
  @Override
  protected int unseen() {
    return rounds();
  }
}

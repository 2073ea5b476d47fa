package io.tidemill.storage.memory;

import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;

class MemoryRegisterTest extends RegisterContract {
  private final MemoryRegister register = new MemoryRegister();

  @Override
  protected Register open() {
    return register;
  }

  @Override
  protected int rounds() {
    return 200;
  }
}

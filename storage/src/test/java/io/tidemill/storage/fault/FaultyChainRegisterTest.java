package io.tidemill.storage.fault;

import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Register;
import io.tidemill.storage.RegisterContract;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.SplittableRandom;

class FaultyChainRegisterTest extends RegisterContract {
  private final Blob blob = new MemoryBlob();
  private final FaultSource faults = new SeededFaults(new SplittableRandom(4), 0.3);

  /** Faults both of the store below and of the register. */
  @Override
  protected Register open() {
    return new FaultyRegister(new ChainRegister(new FaultyBlob(blob, faults)), faults);
  }
}

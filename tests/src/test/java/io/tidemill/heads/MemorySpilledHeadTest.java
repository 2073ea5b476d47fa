package io.tidemill.heads;

import io.tidemill.storage.Store;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryRegister;
import java.util.List;
import java.util.Optional;

class MemorySpilledHeadTest extends SpilledHeadContract {
  @Override
  Store open() {
    return new Store(
        new MemoryBlob(), new MemoryRegister(), Optional.empty(), Optional.empty(), List.of());
  }
}

package io.tidemill.simulation;

import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Items;
import io.tidemill.storage.Register;
import io.tidemill.storage.Store;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.fault.FaultyItems;
import io.tidemill.storage.fault.FaultyRegister;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryItems;
import io.tidemill.storage.memory.MemoryRegister;

/** Storage, watched; processes have views of it, where calls fail. */
final class SimulatedStorage {
  private final WatchedBlob blob;
  private final WatchedRegister register;
  private final WatchedItems items;
  private final boolean isChain;

  private SimulatedStorage(Blob blob, Register register, Items items, boolean isChain) {
    this.blob = new WatchedBlob(blob);
    this.register = new WatchedRegister(register);
    this.items = new WatchedItems(items);
    this.isChain = isChain;
  }

  /**
   * Storage in memory.
   *
   * @param isChain whether the register is a chain of blobs, each of which may fail
   */
  static SimulatedStorage inMemory(boolean isChain) {
    return new SimulatedStorage(new MemoryBlob(), new MemoryRegister(), new MemoryItems(), isChain);
  }

  /** Storage as the product has it, which stays the caller's. Items it lacks are in memory. */
  static SimulatedStorage of(Store store) {
    return new SimulatedStorage(
        store.blob(), store.register(), store.items().orElseGet(MemoryItems::new), false);
  }

  /** Storage as one process has it. */
  record View(Blob blob, Register register, Items items) {}

  View view(Chance chance) {
    Blob faulty = new FaultyBlob(blob, chance);
    return new View(
        faulty,
        isChain ? new ChainRegister(faulty) : new FaultyRegister(register, chance),
        new SeparateItems(new FaultyItems(items, chance), chance));
  }

  /** Storage that does not fail. */
  View view() {
    return new View(blob, register(), items);
  }

  WatchedBlob blob() {
    return blob;
  }

  Register register() {
    return isChain ? new ChainRegister(blob) : register;
  }

  WatchedItems items() {
    return items;
  }

  /** Size of the largest value the register was asked to keep. */
  int registerBytesMost() {
    return register.bytesMost();
  }

  /** Tells what changes. */
  void watchedBy(Truth truth) {
    blob.onDelete(truth::onDelete);
    blob.onHead(truth::onRegister);
    register.onChange(truth::onRegister);
    items.onChange(truth::onItems);
  }
}

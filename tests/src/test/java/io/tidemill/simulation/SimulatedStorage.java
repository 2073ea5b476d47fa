package io.tidemill.simulation;

import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Items;
import io.tidemill.storage.Register;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.fault.FaultyItems;
import io.tidemill.storage.fault.FaultyRegister;

/** Storage in memory, watched; processes have views of it, where calls fail. */
final class SimulatedStorage {
  private final WatchedBlob blob = new WatchedBlob();
  private final WatchedRegister register = new WatchedRegister();
  private final WatchedItems items = new WatchedItems();
  private final boolean isChain;

  /**
   * @param isChain whether the register is a chain of blobs
   */
  SimulatedStorage(boolean isChain) {
    this.isChain = isChain;
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

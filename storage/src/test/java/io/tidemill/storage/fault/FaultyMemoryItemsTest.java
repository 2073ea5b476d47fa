package io.tidemill.storage.fault;

import io.tidemill.storage.Items;
import io.tidemill.storage.ItemsContract;
import io.tidemill.storage.memory.MemoryItems;
import java.util.SplittableRandom;

class FaultyMemoryItemsTest extends ItemsContract {
  private final FaultyItems items =
      new FaultyItems(new MemoryItems(), new SeededFaults(new SplittableRandom(3), 0.4));

  @Override
  protected Items open() {
    return items;
  }
}

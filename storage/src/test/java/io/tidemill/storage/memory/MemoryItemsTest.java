package io.tidemill.storage.memory;

import io.tidemill.storage.Items;
import io.tidemill.storage.ItemsContract;

class MemoryItemsTest extends ItemsContract {
  private final MemoryItems items = new MemoryItems();

  @Override
  protected Items open() {
    return items;
  }
}

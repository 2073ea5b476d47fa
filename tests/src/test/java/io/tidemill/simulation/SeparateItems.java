package io.tidemill.simulation;

import io.tidemill.storage.Items;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Writes items one by one in any order, as a table does: between any two the process may die. */
record SeparateItems(Items items, Chance chance) implements Items {
  @Override
  public List<Item> get(Collection<Key> keys) {
    return items.get(keys);
  }

  @Override
  public List<Item> upTo(String partition, String sort) {
    return items.upTo(partition, sort);
  }

  @Override
  public List<Key> putIfOlder(Collection<Item> all) {
    List<Key> later = new ArrayList<>();
    for (Item item : chance.shuffled(all)) {
      later.addAll(items.putIfOlder(List.of(item)));
    }
    return later;
  }

  @Override
  public void delete(Collection<Key> keys) {
    chance.shuffled(keys).forEach(key -> items.delete(List.of(key)));
  }

  @Override
  public void close() {
    items.close();
  }
}

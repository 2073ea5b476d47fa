package io.tidemill.storage.memory;

import io.tidemill.storage.Items;
import io.tidemill.storage.Keys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Items in memory, for tests and simulation. */
public final class MemoryItems implements Items {
  private final Map<String, NavigableMap<String, Item>> partitions = new TreeMap<>();

  private NavigableMap<String, Item> partition(String name) {
    return partitions.computeIfAbsent(name, n -> new TreeMap<>(Keys.ORDER));
  }

  @Override
  public synchronized List<Item> get(Collection<Key> keys) {
    return keys.stream()
        .distinct()
        .flatMap(key -> Optional.ofNullable(partition(key.partition()).get(key.sort())).stream())
        .toList();
  }

  @Override
  public synchronized List<Item> upTo(String partition, String sort) {
    return List.copyOf(partition(partition).headMap(sort, true).values());
  }

  @Override
  public synchronized List<Key> putIfOlder(Collection<Item> items) {
    List<Key> later = new ArrayList<>();
    for (Item item : items) {
      Map<String, Item> partition = partition(item.key().partition());
      Item there = partition.get(item.key().sort());
      if (there == null || there.now().batch() < item.now().batch()) {
        partition.put(item.key().sort(), item);
      } else if (there.now().batch() > item.now().batch()) {
        later.add(item.key());
      }
    }
    return later;
  }

  @Override
  public synchronized void delete(Collection<Key> keys) {
    keys.forEach(key -> partition(key.partition()).remove(key.sort()));
  }

  @Override
  public void close() {}
}

package io.tidemill.simulation;

import io.tidemill.storage.Items;
import java.util.Collection;
import java.util.List;

/** The items themselves; says when they change. */
final class WatchedItems implements Items {
  private final Items items;
  private Runnable onChange = () -> {};

  WatchedItems(Items items) {
    this.items = items;
  }

  void onChange(Runnable watcher) {
    onChange = watcher;
  }

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
    List<Key> later = items.putIfOlder(all);
    onChange.run();
    return later;
  }

  @Override
  public void delete(Collection<Key> keys) {
    items.delete(keys);
    onChange.run();
  }

  @Override
  public void close() {}
}

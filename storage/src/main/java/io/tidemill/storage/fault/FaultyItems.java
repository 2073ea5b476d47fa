package io.tidemill.storage.fault;

import io.tidemill.storage.Items;
import io.tidemill.storage.fault.FaultSource.Call;
import java.util.Collection;
import java.util.List;

/**
 * Items whose calls go wrong as the fault source says. A write of several that fails may have
 * happened in part.
 */
public final class FaultyItems implements Items {
  private final Items items;
  private final FaultSource faults;

  public FaultyItems(Items items, FaultSource faults) {
    this.items = items;
    this.faults = faults;
  }

  @Override
  public List<Item> get(Collection<Key> keys) {
    Injected.beforeRead(faults, Call.READ, "items");
    return items.get(keys);
  }

  @Override
  public List<Item> upTo(String partition, String sort) {
    Injected.beforeRead(faults, Call.READ, partition);
    return items.upTo(partition, sort);
  }

  @Override
  public List<Key> putIfOlder(Collection<Item> all) {
    Fault fault = faults.next(Call.CREATE, "items");
    List<Key> later = items.putIfOlder(happening(all, fault));
    // Repeating a put changes nothing, so a hidden retry does no harm.
    if (fault != Fault.NONE && fault != Fault.RETRIED) {
      throw Injected.error(Call.CREATE, "items", fault);
    }
    return later;
  }

  @Override
  public void delete(Collection<Key> keys) {
    Fault fault = faults.next(Call.DELETE, "items");
    items.delete(happening(keys, fault));
    if (fault != Fault.NONE) {
      throw Injected.error(Call.DELETE, "items", fault);
    }
  }

  /** All, none, or of a request that was lost on its way the first half. */
  private static <T> List<T> happening(Collection<T> all, Fault fault) {
    List<T> list = List.copyOf(all);
    if (fault == Fault.REFUSED) {
      return List.of();
    }
    return fault == Fault.LOST_REQUEST ? list.subList(0, list.size() / 2) : list;
  }

  @Override
  public void close() {
    items.close();
  }
}

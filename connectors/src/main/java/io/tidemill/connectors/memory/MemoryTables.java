package io.tidemill.connectors.memory;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Results of queries with a memory sink, by name, without case. Thread-safe. */
public final class MemoryTables {
  /** The tables of this process. */
  public static final MemoryTables PROCESS = new MemoryTables();

  private final ConcurrentMap<String, MemoryTable> tables = new ConcurrentHashMap<>();

  /** The table of that name, if a query has written or is writing to it. */
  public Optional<MemoryTable> find(String name) {
    return Optional.ofNullable(tables.get(key(name)));
  }

  /** Forgets a table. */
  public void drop(String name) {
    tables.remove(key(name));
  }

  MemoryTable open(String name) {
    return tables.computeIfAbsent(key(name), n -> new MemoryTable());
  }

  private static String key(String name) {
    return name.toLowerCase(java.util.Locale.ROOT);
  }
}

package io.tidemill.storage.memory;

import io.tidemill.protocol.AttemptId;
import io.tidemill.storage.CommitOutcome;
import io.tidemill.storage.Register;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A register in memory, for tests, simulation and throw-away runs. */
public final class MemoryRegister implements Register {
  private record Entry(Versioned now, Optional<AttemptId> before) {}

  private final Map<String, Entry> entries = new HashMap<>();

  @Override
  public synchronized Optional<Versioned> read(String name) {
    return Optional.ofNullable(entries.get(name))
        .map(Entry::now)
        .map(now -> new Versioned(now.version(), now.attempt(), now.value().clone()));
  }

  @Override
  public synchronized CommitOutcome compareAndSet(
      String name, long expectedVersion, AttemptId attempt, byte[] value) {
    Entry entry = entries.get(name);
    long version = entry == null ? ABSENT : entry.now().version();
    long own = expectedVersion + 1;
    if (version == expectedVersion) {
      Optional<AttemptId> before = Optional.ofNullable(entry).map(e -> e.now().attempt());
      entries.put(name, new Entry(new Versioned(own, attempt, value.clone()), before));
      return new CommitOutcome.Committed(own);
    }
    boolean newest = version == own && entry.now().attempt().equals(attempt);
    boolean overtaken = version == own + 1 && entry.before().equals(Optional.of(attempt));
    return newest || overtaken ? new CommitOutcome.Committed(own) : new CommitOutcome.Conflict();
  }

  @Override
  public void close() {}
}

package io.tidemill.api.rows;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The rows in memory that a session's queries can read, by name. Thread-safe. */
public final class RowSets {
  private final AtomicLong numbers = new AtomicLong();
  private final Map<String, RowSet> sets = new ConcurrentHashMap<>();

  /** Keeps rows and gives their name. */
  public String add(RowSet rows) {
    String name = "rows-" + numbers.incrementAndGet();
    sets.put(name, rows);
    return name;
  }

  public void remove(String name) {
    sets.remove(name);
  }

  RowSet get(String name) {
    RowSet rows = sets.get(name);
    if (rows == null) {
      throw new TidemillException(
              ErrorCode.SOURCE_MISSING,
              "The rows are not in memory any more; a batch's rows can be read in its function only.")
          .with("name", name);
    }
    return rows;
  }
}

package io.tidemill.connectors.memory;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a memory sink. Thread-safe. Rows stay while the process lives, over restarts of the
 * query from its checkpoint; a query with another checkpoint starts with an empty table.
 */
public final class MemoryTable {
  private Schema schema = Schema.EMPTY;
  private Optional<QueryId> query = Optional.empty();
  private Timeline timeline = Timeline.FIRST;
  private long lastBatch = -1;
  private final List<Map<String, Object>> rows = new ArrayList<>();

  MemoryTable() {}

  /** The columns of the rows. */
  public synchronized Schema schema() {
    return schema;
  }

  /**
   * All rows, in the order of their batches. Values by column name: {@code Instant} for timestamps,
   * {@code LocalDate}, {@code BigDecimal}, {@code List}, {@code Map} for structs and maps, {@code
   * byte[]} for BLOB, boxed types for the rest; null for null.
   */
  public synchronized List<Map<String, Object>> rows() {
    return List.copyOf(rows);
  }

  synchronized void open(QueryId opener, Schema columns) {
    if (!query.equals(Optional.of(opener))) {
      rows.clear();
      timeline = Timeline.FIRST;
      lastBatch = -1;
    }
    query = Optional.of(opener);
    schema = columns;
  }

  /** True if the batch is in the table. */
  synchronized boolean has(Timeline ofTimeline, BatchId batch) {
    int compared = ofTimeline.compareTo(timeline);
    return compared < 0 || (compared == 0 && batch.value() <= lastBatch);
  }

  /** Adds a batch, or makes it all there is. */
  synchronized void add(
      Timeline ofTimeline, BatchId batch, List<List<Object>> values, boolean replaces) {
    if (replaces) {
      rows.clear();
    }
    for (List<Object> row : values) {
      Map<String, Object> named = new LinkedHashMap<>();
      for (int i = 0; i < row.size(); i++) {
        named.put(schema.columns().get(i).name(), row.get(i));
      }
      rows.add(Collections.unmodifiableMap(named));
    }
    timeline = ofTimeline;
    lastBatch = batch.value();
  }
}

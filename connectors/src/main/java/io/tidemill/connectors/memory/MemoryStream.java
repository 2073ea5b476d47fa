package io.tidemill.connectors.memory;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows handed to queries by a program. Each call of {@link #addData} is one batch of input, even
 * with no rows. Rows stay, so that a query can be restarted, or read the stream anew. Thread-safe.
 */
public final class MemoryStream {
  private final List<List<JsonNode>> adds = new ArrayList<>();

  MemoryStream() {}

  /**
   * Adds a batch of rows: objects by column name, where a missing column is null, or lists of
   * values in the order of the declared columns. Values: numbers or texts for numbers (decimals and
   * integers must be exact; NaN, Infinity and -Infinity as texts), ISO 8601 for dates and times
   * (with an offset, or UTC), texts for BLOB (as UTF-8), lists, and objects for structs and maps.
   * Rows are checked against the declared columns when they are read.
   */
  public synchronized void addData(List<? extends JsonNode> rows) {
    adds.add(List.copyOf(rows));
  }

  /** How many batches have been added. */
  public synchronized int size() {
    return adds.size();
  }

  synchronized List<JsonNode> rows(int add) {
    return adds.get(add);
  }
}

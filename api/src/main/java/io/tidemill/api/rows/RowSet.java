package io.tidemill.api.rows;

import io.tidemill.protocol.schema.Schema;
import java.util.List;

/**
 * Rows held in memory, with their columns.
 *
 * @param rows values in the order of the columns; a row has a value or null for each
 */
public record RowSet(Schema schema, List<List<Object>> rows) {
  public RowSet {
    rows = List.copyOf(rows);
  }
}

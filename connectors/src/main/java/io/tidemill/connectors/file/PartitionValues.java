package io.tidemill.connectors.file;

import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Sql;
import java.util.Map;
import java.util.Optional;

/** SQL for column values that stand in directory names. */
final class PartitionValues {
  private PartitionValues() {}

  /** The value as the column's type; a text that is none of that type fails the statement. */
  static String sql(Column column, FileSplit.Part part) {
    Optional<String> value =
        part.partition().entrySet().stream()
            .filter(e -> e.getKey().equalsIgnoreCase(column.name()) && e.getValue() != null)
            .map(Map.Entry::getValue)
            .findFirst();
    return "CAST(" + value.map(Sql::text).orElse("NULL") + " AS " + column.type() + ")";
  }
}

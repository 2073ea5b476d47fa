package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The columns a file source reads.
 *
 * @param data columns in the files of a typed format; for the others the declared columns
 * @param partitions columns whose values are in directory names, in order of the directories
 */
record FileColumns(
    FileFormat format, FileSourceOptions options, Schema data, List<String> partitions) {
  static final String VALUE = "value";
  static final String FIELDS = "fields";
  static final String RECORD = "_record";
  static final String PROBLEM = "_problem";
  static final String FILE = "_file";
  static final String LINE = "_line";
  static final String MODIFIED = "_modified";

  private static final Set<String> RESERVED =
      Set.of(VALUE, FIELDS, RECORD, PROBLEM, FILE, LINE, MODIFIED);

  FileColumns {
    partitions = List.copyOf(partitions);
    for (String partition : partitions) {
      if (RESERVED.stream().anyMatch(partition::equalsIgnoreCase)) {
        throw new TidemillException(
                ErrorCode.INVALID_OPTION,
                "A partition column has a name that file sources use themselves: rename it.")
            .with("column", partition);
      }
    }
  }

  /** Columns as read, before any decoding. */
  Schema raw() {
    List<Column> columns = new ArrayList<>();
    switch (format) {
      case JSON, TEXT -> columns.add(Column.of(VALUE, "BLOB"));
      case CSV -> {
        columns.add(Column.of(FIELDS, "VARCHAR[]"));
        columns.add(Column.of(RECORD, "VARCHAR"));
        columns.add(Column.of(PROBLEM, "VARCHAR"));
      }
      case PARQUET -> columns.addAll(data.columns());
    }
    for (String partition : partitions) {
      addIfAbsent(columns, data.find(partition).orElse(Column.of(partition, "VARCHAR")));
    }
    addIfAbsent(columns, Column.of(FILE, "VARCHAR"));
    addIfAbsent(columns, Column.of(LINE, "BIGINT"));
    addIfAbsent(columns, Column.of(MODIFIED, "TIMESTAMP"));
    return new Schema(columns);
  }

  private static void addIfAbsent(List<Column> columns, Column column) {
    if (columns.stream().noneMatch(c -> c.name().equalsIgnoreCase(column.name()))) {
      columns.add(column);
    }
  }

  boolean isDeclared(String column) {
    return data.find(column).isPresent();
  }

  boolean isPartition(String column) {
    return partitions.stream().anyMatch(column::equalsIgnoreCase);
  }

  /** Columns of the files themselves: all but those in directory names. */
  List<Column> inFiles() {
    return data.columns().stream().filter(c -> !isPartition(c.name())).toList();
  }

  /** A guess, to size tasks. */
  int bytesPerRow() {
    return format == FileFormat.PARQUET ? 20 : 100;
  }
}

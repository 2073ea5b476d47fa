package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Appends records of line formats to a table. Values of directories are added by SQL: where they
 * are wanted, rows go through a table of their own, one per run of files with the same values. Used
 * by one thread; failures of the database are {@code INTERNAL}.
 */
final class RowAppender implements AutoCloseable {
  private static final String STAGE = "tidemill_file_rows";

  private final FileColumns columns;
  private final DuckDBConnection db;
  private final String table;
  private final List<Column> wanted;
  private final List<Column> appended;
  private final boolean stages;
  private DuckDBAppender appender;
  private FileSplit.Part part;

  RowAppender(FileColumns columns, DuckDBConnection db, String table, List<Column> wanted) {
    this.columns = columns;
    this.db = db;
    this.table = table;
    this.wanted = wanted;
    List<Column> inRecords = wanted.stream().filter(c -> !columns.isPartition(c.name())).toList();
    this.stages = inRecords.size() < wanted.size();
    // A table needs a column, even if only directory values are wanted.
    this.appended =
        inRecords.isEmpty() ? List.of(Column.of(FileColumns.LINE, "BIGINT")) : inRecords;
  }

  /** The rows that follow are of this file. */
  void file(FileSplit.Part next) {
    Map<String, String> before = part == null ? Map.of() : part.partition();
    if (stages && part != null && !before.equals(next.partition())) {
      finish();
    }
    part = next;
    if (appender == null) {
      open();
    }
  }

  /** A record of json or text. */
  void value(byte[] value, long line) {
    try {
      appender.beginRow();
      for (Column column : appended) {
        if (column.name().equals(FileColumns.VALUE)) {
          appender.append(value);
        } else {
          position(column, line);
        }
      }
      appender.endRow();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** A record of CSV; the fields are null if it is malformed. */
  void record(List<String> fields, String record, String problem, long line) {
    try {
      appender.beginRow();
      for (Column column : appended) {
        switch (column.name()) {
          case FileColumns.FIELDS -> appender.append(fields);
          case FileColumns.RECORD -> appender.append(record);
          case FileColumns.PROBLEM -> appender.append(problem);
          default -> position(column, line);
        }
      }
      appender.endRow();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void position(Column column, long line) throws SQLException {
    switch (column.name()) {
      case FileColumns.FILE -> appender.append(part.path());
      case FileColumns.LINE -> appender.append(line);
      case FileColumns.MODIFIED -> appender.appendEpochMicros(part.modified() * 1000);
      default -> throw new SQLException("no such column: " + column.name());
    }
  }

  private void open() {
    try {
      if (stages) {
        execute("CREATE OR REPLACE TABLE " + STAGE + new Schema(appended).ddl());
      }
      appender = db.createAppender(stages ? STAGE : table);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void finish() {
    if (appender == null) {
      return;
    }
    try {
      appender.close();
      appender = null;
      if (stages) {
        String select =
            wanted.stream()
                .map(
                    c ->
                        columns.isPartition(c.name())
                            ? PartitionValues.sql(c, part)
                            : Sql.name(c.name()))
                .collect(Collectors.joining(", "));
        insert("INSERT INTO " + Sql.name(table) + " SELECT " + select + " FROM " + STAGE);
        execute("DROP TABLE " + STAGE);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void insert(String sql) throws SQLException {
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD,
              "A value in a directory name is not of the column's type.",
              e)
          .with("file", part.path())
          .with("reason", String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    }
  }

  private static TidemillException failed(SQLException cause) {
    return new TidemillException(ErrorCode.INTERNAL, "Rows could not be appended.", cause);
  }

  @Override
  public void close() {
    finish();
  }
}

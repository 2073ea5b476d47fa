package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/**
 * Reads Parquet files by DuckDB itself. A column of another type than declared is read only if the
 * types are of one family (numbers, times, same nesting) and every value survives unchanged.
 */
final class ParquetReader {
  private final FileColumns columns;
  private final boolean fillsMissing;

  ParquetReader(FileColumns columns, Options options) {
    this.columns = columns;
    this.fillsMissing = fillsMissing(options);
  }

  /** True if a declared column that a file lacks is null, false if that is an error. */
  static boolean fillsMissing(Options options) {
    return options.oneOf("missingColumns", "fail", List.of("fail", "null")).equals("null");
  }

  /** Appends a file's rows; {@code local} is where the database may read it. */
  void read(
      FileSplit.Part part, Path local, DuckDBConnection db, String table, List<Column> wanted) {
    Schema found = ParquetColumns.of(local.toString(), part.path(), db);
    String select =
        wanted.stream().map(c -> expression(c, part, found)).collect(Collectors.joining(", "));
    String sql =
        "INSERT INTO "
            + Sql.name(table)
            + " SELECT "
            + select
            + " FROM read_parquet("
            + Sql.text(local.toString())
            + ", hive_partitioning = false"
            + (numbersRows(wanted) ? ", file_row_number = true)" : ")");
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw ParquetColumns.unreadable(part.path(), e);
    }
  }

  private boolean numbersRows(List<Column> wanted) {
    return columns.data().find(FileColumns.LINE).isEmpty()
        && wanted.stream().anyMatch(c -> c.name().equals(FileColumns.LINE));
  }

  private String expression(Column column, FileSplit.Part part, Schema found) {
    if (columns.isPartition(column.name())) {
      return PartitionValues.sql(column, part);
    }
    if (columns.data().find(column.name()).isEmpty()) {
      return hidden(column.name(), part);
    }
    Optional<Column> inFile = found.find(column.name());
    if (inFile.isEmpty()) {
      if (fillsMissing) {
        return "CAST(NULL AS " + column.type() + ")";
      }
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD,
              "A Parquet file lacks a declared column: correct the name, or set missingColumns ="
                  + " 'null' if older files lack it."
                  + Nearest.hint(column.name(), found.names()))
          .with("column", column.name())
          .with("file", part.path());
    }
    return converted(column, inFile.get(), part.path());
  }

  private static String hidden(String name, FileSplit.Part part) {
    return switch (name) {
      case FileColumns.FILE -> Sql.text(part.path());
      case FileColumns.LINE -> "file_row_number + 1";
      case FileColumns.MODIFIED -> Sql.timestamp(part.modified());
      default ->
          throw new TidemillException(ErrorCode.INTERNAL, "A Parquet source has no such column.")
              .with("column", name);
    };
  }

  private static String converted(Column declared, Column inFile, String file) {
    String value = Sql.name(inFile.name());
    SqlType from = SqlType.parse(inFile.type());
    SqlType to = SqlType.parse(declared.type());
    if (from.text().equalsIgnoreCase(to.text())) {
      return value;
    }
    boolean sameFamily =
        (from.kind().isNumber() && to.kind().isNumber())
            || (from.kind().isTime() && to.kind().isTime())
            || from.kind() == to.kind();
    if (!sameFamily) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD,
              "A column of a Parquet file is of another type than declared, and is not converted:"
                  + " declare it as it is and convert it in the query.")
          .with("column", declared.name())
          .with("declared", declared.type())
          .with("found", inFile.type())
          .with("file", file);
    }
    String there = "TRY_CAST(" + value + " AS " + declared.type() + ")";
    String problem =
        "a value of column " + declared.name() + " does not fit " + declared.type() + " unchanged";
    return "CASE WHEN CAST("
        + there
        + " AS "
        + inFile.type()
        + ") IS NOT DISTINCT FROM "
        + value
        + " THEN "
        + there
        + " ELSE error("
        + Sql.text(problem)
        + ") END";
  }
}

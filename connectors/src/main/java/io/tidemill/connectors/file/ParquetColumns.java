package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks up the columns of Parquet files. */
final class ParquetColumns {
  private ParquetColumns() {}

  /** The columns of a local file, read by a database of its own. */
  static Schema of(String file) {
    try (Connection db = DriverManager.getConnection("jdbc:duckdb:")) {
      return of(file, file, db);
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A database could not be closed.", e);
    }
  }

  /**
   * The columns of a file.
   *
   * @param readable where the database can read it
   * @param file the file's own path, for messages
   */
  static Schema of(String readable, String file, Connection db) {
    String sql =
        "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet("
            + Sql.text(readable)
            + ", hive_partitioning = false))";
    List<Column> columns = new ArrayList<>();
    try (Statement statement = db.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        columns.add(Column.of(rows.getString(1), rows.getString(2)));
      }
    } catch (SQLException e) {
      throw unreadable(file, e);
    }
    return new Schema(columns);
  }

  static TidemillException unreadable(String file, SQLException cause) {
    return new TidemillException(
            ErrorCode.MALFORMED_RECORD,
            "A Parquet file cannot be read: it is damaged, or its values do not fit the declared"
                + " columns.",
            cause)
        .with("file", file)
        .with("reason", String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
  }
}

package io.tidemill.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Parquet files, read as a plain folder. */
final class ParquetTarget implements Target {
  @Override
  public String job() {
    return "revenue-parquet.sql";
  }

  @Override
  public void prepare(String query) {}

  @Override
  public void load(Connection connection, String table, String query, Path output)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + table
              + " AS SELECT window_start, customer_id, revenue::DECIMAL(38,2) AS revenue, orders"
              + " FROM read_parquet('"
              + output.resolve("revenue")
              + "/**/*.parquet')");
    }
  }

  @Override
  public String remark(String query) {
    return "";
  }
}

package io.tidemill.benchmarks.revenue;

import io.tidemill.demo.ExpectedRevenue;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Reads results back with DuckDB, which neither engine wrote them with, and compares them. */
public final class RevenueResult {
  private static final String COLUMNS =
      "epoch_us(window_start) AS window_start, epoch_us(window_end) AS window_end,"
          + " customer_id, revenue::DECIMAL(38,2) AS revenue, orders::BIGINT AS orders";

  private RevenueResult() {}

  /** Whether the rows are those that the generator expects, in number and to the cent. */
  public static boolean isExpected(Path output, ExpectedRevenue expected) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*), sum(orders), sum(revenue),"
                    + " count(DISTINCT (window_start, customer_id)) FROM "
                    + rows(output))) {
      row.next();
      BigDecimal revenue = row.getBigDecimal(3);
      return row.getLong(1) == expected.rows()
          && row.getLong(2) == expected.orders()
          && revenue != null
          && revenue.compareTo(expected.revenue()) == 0
          && row.getLong(4) == expected.rows();
    }
  }

  /** Rows of a result. */
  public static long count(Path output) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + rows(output))) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Rows that are in one of the results and not in the other, duplicates counted. */
  public static long differences(Path one, Path other) throws SQLException {
    String ours = rows(one);
    String theirs = rows(other);
    String sql =
        "SELECT (SELECT count(*) FROM (FROM "
            + (ours + " EXCEPT ALL FROM " + theirs)
            + ")) + (SELECT count(*) FROM (FROM "
            + (theirs + " EXCEPT ALL FROM " + ours)
            + "))";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static String rows(Path output) {
    return "(SELECT " + COLUMNS + " FROM read_parquet('" + output + "/*.parquet'))";
  }
}

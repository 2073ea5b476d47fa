package io.tidemill.cli;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the demo's query wrote, read back from its files.
 *
 * @param rows rows of the result
 * @param orders orders in them
 * @param revenue their revenue
 * @param rejected records in the dead-letter sink
 * @param top the rows with the most revenue, as lines of a table
 */
record DemoResult(long rows, long orders, BigDecimal revenue, long rejected, List<String> top) {
  private static final int TOP_ROWS = 5;

  /**
   * Reads the result.
   *
   * @param output folder of the job's sinks
   */
  static DemoResult read(Path output) {
    Path revenue = output.resolve("revenue");
    Path rejected = output.resolve("rejected");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      long rejectedRows =
          hasFiles(rejected, ".json")
              ? count(connection, "read_ndjson_objects(" + files(rejected, "json") + ")")
              : 0;
      return hasFiles(revenue, ".parquet")
          ? read(connection, "read_parquet(" + files(revenue, "parquet") + ")", rejectedRows)
          : new DemoResult(0, 0, new BigDecimal("0.00"), rejectedRows, List.of());
    } catch (SQLException | IOException e) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "The result of the demo could not be read back.", e)
          .with("directory", output);
    }
  }

  private static DemoResult read(Connection connection, String table, long rejected)
      throws SQLException {
    String totals = "SELECT count(*), sum(orders), sum(revenue)::DECIMAL(38,2) FROM " + table;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(totals)) {
      row.next();
      return new DemoResult(
          row.getLong(1), row.getLong(2), row.getBigDecimal(3), rejected, top(connection, table));
    }
  }

  private static List<String> top(Connection connection, String table) throws SQLException {
    List<String> lines = new ArrayList<>();
    String sql =
        "SELECT format('{}  {}  {:>12}  {:>6}', strftime(window_start, '%Y-%m-%d %H:%M'),"
            + " customer_id, revenue::VARCHAR, orders::VARCHAR) FROM "
            + table
            + " ORDER BY revenue DESC, window_start, customer_id LIMIT "
            + TOP_ROWS;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        lines.add(row.getString(1));
      }
    }
    return lines;
  }

  private static long count(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static boolean hasFiles(Path folder, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.anyMatch(file -> file.getFileName().toString().matches("part-.*\\" + ending));
    }
  }

  private static String files(Path folder, String ending) {
    return "'" + folder.toString().replace("'", "''") + "/**/part-*." + ending + "'";
  }
}

package io.tidemill.crash;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Results side by side in one DuckDB, and the same computed from the topic by DuckDB alone. */
final class Results implements AutoCloseable {
  private static final int SHOWN_MAX = 10;
  private static final int INSERT_RECORDS = 50_000;

  /** What the job's columns and the watermark ask of a record, said once more in other words. */
  private static final String ORDERS =
      """
      CREATE TABLE parsed AS
      SELECT part, off,
        doc->>'order_id' AS order_id,
        doc->>'customer_id' AS customer_id,
        CASE WHEN regexp_full_match(doc->>'amount', '\\d+(\\.\\d{1,2})?')
          THEN (doc->>'amount')::DECIMAL(18,2) END AS amount,
        TRY_CAST(doc->>'event_time' AS TIMESTAMP) AS event_time
      FROM (SELECT part, off, CASE WHEN json_valid(value) THEN value::JSON END AS doc FROM raw);

      CREATE TABLE well_formed AS SELECT * FROM parsed
      WHERE order_id IS NOT NULL AND customer_id IS NOT NULL AND amount IS NOT NULL
        AND event_time IS NOT NULL;

      CREATE TABLE truth AS
      SELECT time_bucket(INTERVAL 10 SECONDS, event_time) AS window_start, customer_id,
        sum(amount) AS revenue, count(*) AS orders
      FROM well_formed
      WHERE event_time > (SELECT min(event_time) FROM well_formed) + INTERVAL 12 HOURS
        AND event_time < TIMESTAMP '2090-01-01'
      GROUP BY ALL;
      """;

  private final Connection connection;

  Results() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
  }

  Connection connection() {
    return connection;
  }

  /** Reads the whole topic and computes the tables {@code truth} and {@code well_formed}. */
  void computeTruth(String servers, String topic) throws SQLException {
    execute("CREATE TABLE raw (part INTEGER, off BIGINT, value VARCHAR)");
    List<Object> values = new ArrayList<>();
    List<Object> places = new ArrayList<>();
    TopicReader.read(
        servers,
        topic,
        "read_committed",
        record -> {
          values.add(record.value());
          places.add(record.partition() + "/" + record.offset());
          if (values.size() == INSERT_RECORDS) {
            insert(places, values);
          }
        });
    insert(places, values);
    execute(ORDERS);
  }

  private void insert(List<Object> places, List<Object> values) {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO raw SELECT split_part(p, '/', 1)::INTEGER, split_part(p, '/', 2)::BIGINT,"
                + " v FROM (SELECT unnest(?::VARCHAR[]) AS p, unnest(?::VARCHAR[]) AS v)")) {
      insert.setObject(1, connection.createArrayOf("VARCHAR", places.toArray()));
      insert.setObject(2, connection.createArrayOf("VARCHAR", values.toArray()));
      insert.execute();
    } catch (SQLException e) {
      throw new IllegalStateException("The records of a topic could not be kept", e);
    }
    places.clear();
    values.clear();
  }

  /** Loads where the malformed records were that a query put aside, into a table. */
  void loadRejected(String table, Path output) throws SQLException {
    execute(
        "CREATE TABLE "
            + table
            + " AS SELECT position FROM read_json('"
            + output.resolve("rejected")
            + "/**/part-*.json', columns = {position: 'VARCHAR'})");
  }

  /** Rows of a table. */
  long count(String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Says which rows are in one table only; each as often as it is there too often. */
  List<String> differences(String one, String other) throws SQLException {
    List<String> found = new ArrayList<>();
    onlyIn(one, other, found);
    onlyIn(other, one, found);
    return found;
  }

  private void onlyIn(String one, String other, List<String> found) throws SQLException {
    String only = "(FROM " + one + " EXCEPT ALL FROM " + other + ")";
    long rows = count(only);
    if (rows == 0) {
      return;
    }
    found.add(rows + " rows are in " + one + " and not in " + other);
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT r::VARCHAR FROM " + only + " AS r ORDER BY 1 LIMIT " + SHOWN_MAX)) {
      while (row.next()) {
        found.add("  " + row.getString(1));
      }
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

package io.tidemill.functions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Files of orders, the job that adds them up, and what comes out if all is well. */
final class Orders {
  static final String JOB = "orders.sql";
  static final String QUERY = "revenue";

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int SECONDS_PER_FILE = 300;

  private static final String TEXT =
      """
      CREATE STREAM orders (
        customer_id VARCHAR NOT NULL,
        amount DECIMAL(18,2) NOT NULL,
        event_time TIMESTAMP NOT NULL,
        WATERMARK FOR event_time AS event_time - INTERVAL 10 MINUTES
      ) WITH (
        connector = 'json',
        path = '${DIR}/in',
        maxFilesPerTrigger = '${FILES:4}'
      );
      CREATE SINK revenue WITH (connector = 'parquet', path = '${DIR}/out');
      SET checkpoint = '${DIR}/checkpoint';
      SET trigger = '${TRIGGER:available-now}';
      INSERT INTO revenue
      SELECT window_start, customer_id, sum(amount) AS revenue, count(*) AS orders
      FROM TUMBLE(orders, event_time, INTERVAL 5 MINUTES)
      GROUP BY window_start, customer_id;
      """;

  private static final String ROWS =
      "SELECT window_start, customer_id, CAST(revenue AS DECIMAL(38,2)) AS revenue, orders FROM ";

  private final Path directory;
  private int files;

  Orders(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory.resolve("in"));
      Files.createDirectories(directory.resolve("jobs"));
      Files.writeString(directory.resolve("jobs").resolve(JOB), TEXT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path jobs() {
    return directory.resolve("jobs");
  }

  /** Adds files of orders, each five minutes later than the one before. */
  void add(int count, int rows) throws IOException {
    for (int i = 0; i < count; i++) {
      StringBuilder orders = new StringBuilder();
      for (int row = 0; row < rows; row++) {
        long second = files * (long) SECONDS_PER_FILE + (row * 7919L) % (2 * SECONDS_PER_FILE);
        orders.append(
            "{\"customer_id\":\"c%d\",\"amount\":%d.%02d,\"event_time\":\"%s\"}\n"
                .formatted(row % 97, files + row % 13, row % 100, START.plusSeconds(second)));
      }
      // Listed under its name only once it is complete.
      Path complete = Files.writeString(directory.resolve("next.json"), orders);
      Files.move(complete, directory.resolve("in/%04d.json".formatted(files++)));
    }
  }

  /** Rows of windows that no later order can change any more, as plain DuckDB has them. */
  List<String> expected() throws SQLException {
    String all =
        "(SELECT customer_id, CAST(amount AS DECIMAL(18,2)) AS amount,"
            + " CAST(event_time AS TIMESTAMP) AS event_time FROM read_json('"
            + directory.resolve("in")
            + "/*.json', columns = {customer_id: 'VARCHAR', amount: 'VARCHAR', event_time:"
            + " 'VARCHAR'}))";
    return rows(
        ROWS
            + "(SELECT time_bucket(INTERVAL 5 MINUTES, event_time) AS window_start, customer_id,"
            + " sum(amount) AS revenue, count(*) AS orders FROM "
            + all
            + " GROUP BY ALL) WHERE window_start + INTERVAL 5 MINUTES <= (SELECT max(event_time)"
            + " - INTERVAL 10 MINUTES FROM "
            + all
            + ") ORDER BY ALL");
  }

  /** What the sink shows. */
  List<String> result() throws SQLException {
    return rows(
        ROWS + "read_parquet('" + directory.resolve("out") + "/**/*.parquet') ORDER BY ALL");
  }

  private static List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      try (ResultSet result = statement.executeQuery(sql)) {
        while (result.next()) {
          rows.add(
              result.getString(1)
                  + " "
                  + result.getString(2)
                  + " "
                  + result.getString(3)
                  + " "
                  + result.getString(4));
        }
      }
    }
    return rows;
  }
}

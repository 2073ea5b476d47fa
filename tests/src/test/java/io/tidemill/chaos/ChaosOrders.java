package io.tidemill.chaos;

import java.io.IOException;
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
import java.util.Locale;
import java.util.Map;

/** Files of orders that come in one after the other, the job that adds them up, and the truth. */
final class ChaosOrders {
  static final String QUERY = "revenue";
  static final String JOB = "revenue.sql";

  /** As the job says. */
  static final int RETAIN_BATCHES = 10;

  /** As the job says. */
  static final int FILES_PER_BATCH = 2;

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int SECONDS_PER_FILE = 300;
  private static final int CUSTOMERS = 13;

  /** A file in so many has an order with a note too large for an item of the state. */
  private static final int LARGE_NOTE_EVERY = 8;

  private static final int LARGE_NOTE_CHARACTERS = 200_000;

  private static final String STREAM =
      """
      CREATE STREAM orders (
        customer_id VARCHAR NOT NULL,
        amount DECIMAL(18,2) NOT NULL,
        note VARCHAR,
        event_time TIMESTAMP NOT NULL,
        WATERMARK FOR event_time AS event_time - INTERVAL 10 MINUTES
      ) WITH (connector = 'json', path = '${IN}', maxFilesPerTrigger = '2');
      SET checkpoint = '${CHECKPOINTS}';
      SET trigger = 'available-now';
      SET retainBatches = '10';
      SET state = '${STATE}';
      """;

  private static final Map<Target, String> SINKS =
      Map.of(
          Target.PARQUET,
          """
          CREATE SINK revenue WITH (connector = 'parquet', path = '${OUT}');
          INSERT INTO revenue
          SELECT window_start, customer_id, sum(amount) AS revenue, count(*) AS orders,
            md5(max(note)) AS note
          """,
          Target.KAFKA,
          """
          CREATE SINK revenue WITH (connector = 'kafka', 'kafka.bootstrap.servers' = '${SERVERS}',
            topic = '${TOPIC}', mode = 'append');
          INSERT INTO revenue
          SELECT customer_id AS key, json_object('window_start', window_start::VARCHAR,
            'customer_id', customer_id, 'revenue', sum(amount)::VARCHAR, 'orders', count(*),
            'note', md5(max(note)))::VARCHAR AS value
          """);

  private static final String GROUPS =
      """
      FROM TUMBLE(orders, event_time, INTERVAL 5 MINUTES)
      GROUP BY window_start, customer_id;
      """;

  /** What the sink is. */
  enum Target {
    PARQUET,
    KAFKA
  }

  private final Path directory;
  private int files;

  /**
   * @param directory where its files and the job are
   */
  ChaosOrders(Path directory, Target target) throws IOException {
    this.directory = directory;
    Files.createDirectories(input());
    Files.createDirectories(jobs());
    Files.writeString(jobs().resolve(JOB), STREAM + SINKS.get(target) + GROUPS);
  }

  Path input() {
    return directory.resolve("in");
  }

  Path jobs() {
    return directory.resolve("jobs");
  }

  int files() {
    return files;
  }

  /** Adds a file of orders, five minutes later than the one before. */
  void add(int rows) throws IOException {
    StringBuilder orders = new StringBuilder();
    for (int row = 0; row < rows; row++) {
      long second = files * (long) SECONDS_PER_FILE + (row * 7919L) % (2 * SECONDS_PER_FILE);
      boolean large = row == 0 && files % LARGE_NOTE_EVERY == 0;
      String note = "n" + (files * 31 + row) % 17;
      orders.append(
          String.format(
              Locale.ROOT,
              "{\"customer_id\":\"c%d\",\"amount\":%d.%02d,\"note\":\"%s\",\"event_time\":\"%s\"}\n",
              row % CUSTOMERS,
              files + row % 7,
              row % 100,
              large ? note.repeat(LARGE_NOTE_CHARACTERS / note.length()) : note,
              START.plusSeconds(second)));
    }
    // Listed under its name only once it is complete.
    Path written = Files.writeString(directory.resolve("next.json"), orders);
    Files.move(written, input().resolve(String.format(Locale.ROOT, "%06d.json", files++)));
  }

  /** Rows of windows that no later order can change any more, as plain DuckDB has them. */
  List<String> expected() throws SQLException {
    String all =
        "(SELECT customer_id, CAST(amount AS DECIMAL(18,2)) AS amount, note,"
            + " CAST(event_time AS TIMESTAMP) AS event_time FROM read_json('"
            + input()
            + "/*.json', columns = {customer_id: 'VARCHAR', amount: 'VARCHAR', note: 'VARCHAR',"
            + " event_time: 'VARCHAR'}))";
    return rows(
        "(SELECT * FROM (SELECT time_bucket(INTERVAL 5 MINUTES, event_time) AS window_start,"
            + " customer_id, sum(amount) AS revenue, count(*) AS orders, md5(max(note)) AS note"
            + " FROM "
            + all
            + " GROUP BY 1, 2) WHERE window_start + INTERVAL 5 MINUTES <= (SELECT max(event_time)"
            + " - INTERVAL 10 MINUTES FROM "
            + all
            + "))");
  }

  /** What published files hold. */
  static List<String> ofFiles(List<Path> files) throws SQLException {
    List<String> names = files.stream().map(f -> "'" + f + "'").toList();
    return rows("read_parquet([" + String.join(", ", names) + "], hive_partitioning = false)");
  }

  /** What the values of records hold. */
  static List<String> ofRecords(Path scratch, List<String> values)
      throws SQLException, IOException {
    Path file = Files.writeString(scratch, String.join("\n", values));
    return rows(
        "read_json('"
            + file
            + "', format = 'newline_delimited', columns = {window_start: 'TIMESTAMP',"
            + " customer_id: 'VARCHAR', revenue: 'VARCHAR', orders: 'BIGINT', note: 'VARCHAR'})");
  }

  private static List<String> rows(String from) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      try (ResultSet result =
          statement.executeQuery(
              "SELECT window_start, customer_id, CAST(revenue AS DECIMAL(38,2)), orders, note FROM "
                  + from
                  + " ORDER BY ALL")) {
        while (result.next()) {
          rows.add(
              String.join(
                  " ",
                  result.getString(1),
                  result.getString(2),
                  result.getString(3),
                  result.getString(4),
                  result.getString(5)));
        }
      }
    }
    return rows;
  }
}

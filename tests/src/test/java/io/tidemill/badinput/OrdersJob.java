package io.tidemill.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.process.Command;
import io.tidemill.process.CommandRun;
import io.tidemill.process.Outcome;
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
import java.util.stream.Stream;

/** Revenue per customer and window over JSON files, a batch for each file. */
final class OrdersJob {
  static final String TEXT =
      """
      CREATE STREAM orders (
        customer_id VARCHAR NOT NULL,
        amount DECIMAL(18,2) NOT NULL,
        event_time TIMESTAMP NOT NULL,
        WATERMARK FOR event_time AS event_time - INTERVAL 10 MINUTES
      ) WITH (
        connector = 'json',
        path = '${DIR}/in',
        maxFilesPerTrigger = '1'
      );
      CREATE SINK revenue WITH (connector = 'parquet', path = '${DIR}/out');
      SET checkpoint = '${DIR}/checkpoint';
      INSERT INTO revenue
      SELECT window_start, customer_id, sum(amount) AS revenue
      FROM TUMBLE(orders, event_time, INTERVAL 5 MINUTES)
      GROUP BY window_start, customer_id;
      """;

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int ROWS = 20;
  private static final long SECONDS_PER_FILE = 600;

  private final Path directory;
  private String text = TEXT;
  private int files;

  OrdersJob(Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory.resolve("in"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces a part of the job's text, which must be there. */
  OrdersJob with(String part, String replacement) {
    assertThat(text).contains(part);
    text = text.replace(part, replacement);
    return this;
  }

  /** The job as it was at first. */
  OrdersJob original() {
    text = TEXT;
    return this;
  }

  /** Adds files of orders, each ten minutes later than the one before. */
  void add(int count) {
    for (int i = 0; i < count; i++) {
      StringBuilder orders = new StringBuilder();
      for (int row = 0; row < ROWS; row++) {
        orders.append(
            "{\"customer_id\":\"c%d\",\"amount\":%d.%02d,\"event_time\":\"%s\"}\n"
                .formatted(
                    row % 7,
                    files + 1,
                    row,
                    START.plusSeconds(files * SECONDS_PER_FILE + row * 29L)));
      }
      publish("%04d.json".formatted(files++), orders.toString());
    }
  }

  /** Runs what there is, in this process. */
  Outcome run(String... more) {
    return command("run", more);
  }

  /** Starts a run in a process of its own that goes on until it is stopped. */
  CommandRun start(Command with) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(arguments("default"));
    return with.run(arguments);
  }

  Outcome command(String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of(command));
    arguments.addAll(arguments("available-now"));
    arguments.addAll(List.of(more));
    return Outcome.of(arguments.toArray(String[]::new));
  }

  /** The arguments behind the command's name. */
  private List<String> arguments(String trigger) {
    write(directory.resolve("job.sql"), text);
    return List.of(
        directory.resolve("job.sql").toString(), "--trigger", trigger, "--set", "DIR=" + directory);
  }

  /** Folder of the query's checkpoint. */
  Path checkpoint() {
    return directory.resolve("checkpoint/revenue");
  }

  /** The one file, or the last of several, below a folder of the checkpoint. */
  Path last(String area) {
    try (Stream<Path> paths = Files.walk(checkpoint().resolve(area))) {
      return paths.filter(Files::isRegularFile).sorted().reduce((a, b) -> b).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Checks that a run ends well and that the result is then what DuckDB computes. */
  void goesOnWell() {
    Outcome good = original().run();
    assertThat(good.code()).as(good.all()).isZero();
    assertResult();
  }

  /** The same after enough files for closed windows. */
  void goesOnWellWithMore() {
    add(3);
    goesOnWell();
  }

  /** Checks that the rows are those of all closed windows, each once. */
  void assertResult() {
    String truth =
        """
        WITH orders AS (
          FROM read_json('DIR/in/*.json', columns =
            {customer_id: 'VARCHAR', amount: 'DECIMAL(18,2)', event_time: 'TIMESTAMP'})
        )
        SELECT time_bucket(INTERVAL 5 MINUTES, event_time) AS w, customer_id, sum(amount)
        FROM orders GROUP BY 1, 2
        HAVING w + INTERVAL 15 MINUTES <= (SELECT max(event_time) FROM orders)
        """;
    String result =
        "SELECT window_start, customer_id, revenue FROM read_parquet('DIR/out/**/*.parquet')";
    List<String> expected = rows(truth);
    assertThat(expected).isNotEmpty();
    assertThat(rows(result)).isEqualTo(expected);
  }

  private List<String> rows(String select) {
    String sql =
        "SELECT concat_ws(' ', COLUMNS(*)) FROM ("
            + select.replace("DIR", directory.toString())
            + ") ORDER BY 1";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        rows.add(row.getString(1));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** Shows a file to runs that look for new ones only once it is complete. */
  private void publish(String name, String content) {
    Path complete = directory.resolve(name);
    write(complete, content);
    try {
      Files.move(complete, directory.resolve("in").resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

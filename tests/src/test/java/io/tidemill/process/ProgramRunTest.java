package io.tidemill.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.demo.OrdersProducer;
import io.tidemill.demo.OrdersSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java programs, as the command runs them. */
class ProgramRunTest {
  private static final String COUNTS =
      """
      import io.tidemill.api.Dataset;
      import io.tidemill.api.Row;
      import io.tidemill.api.Session;
      import io.tidemill.api.StreamingJob;
      import io.tidemill.orchestrator.StreamingQueryListener;

      public class Counts implements StreamingJob {
        @Override
        public void define(Session session) {
          session.streams().addListener(new StreamingQueryListener() {
            @Override
            public void onQueryProgress(QueryProgressEvent event) {
              System.out.println("listener heard of batch " + event.progress().batchId());
            }
          });
          Dataset<Row> words = session.readStream().name("words").schema("word STRING")
              .option("maxFilesPerTrigger", 1).json(session.variable("IN"));
          words.groupBy("word").count().writeStream().queryName("counts").outputMode("update")
              .foreachBatch((rows, batch) ->
                  System.out.println("batch " + batch + " has " + rows.collectAsList()))
              .start();
          words.writeStream().queryName("copies").format("json")
              .start(session.variable("IN") + "/../copies");
        }
      }
      """;

  @TempDir Path directory;

  @Test
  void programGivesWhatTheJobFileWithTheSameQueryGives() throws Exception {
    Path jar = ProgramJar.ofExample(directory, "OrdersRevenueJob");
    try (EmbeddedKafka kafka = EmbeddedKafka.start()) {
      ExpectedRevenue expected =
          new OrdersProducer(kafka.bootstrapServers(), "orders")
              .produce(OrdersSettings.of(5_000), sent -> {});
      String[] variables = {
        "--set", "KAFKA_BOOTSTRAP_SERVERS=" + kafka.bootstrapServers(), "--set", "BATCH_RECORDS=900"
      };

      Outcome file = run(variables, "sql", "../examples/orders/revenue.sql");
      Outcome program = run(variables, "java", "--jar", jar.toString());

      assertThat(file.code()).as(file.all()).isZero();
      assertThat(program.code()).as(program.all()).isZero();
      assertThat(program.errors().lines().filter(CommandRun::isBatch)).hasSizeGreaterThan(5);
      assertThat(revenue("java")).isNotEmpty().isEqualTo(revenue("sql"));
      assertThat(rows("SELECT count(*) FROM read_json('DIR/java/rejected/*.json')"))
          .containsExactly(Long.toString(expected.malformed()));
    }
  }

  private Outcome run(String[] variables, String out, String... job) {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(job));
    arguments.addAll(List.of(variables));
    arguments.addAll(List.of("--set", "OUT=" + directory.resolve(out)));
    return Outcome.of(arguments.toArray(String[]::new));
  }

  private List<String> revenue(String out) {
    return rows(
        "SELECT concat_ws(' ', COLUMNS(*)) FROM read_parquet('DIR/"
            + out
            + "/revenue/*.parquet') ORDER BY 1");
  }

  @Test
  void theCommandLineReplacesTriggerAndCheckpointOfEveryQuery() throws IOException {
    Path jar = ProgramJar.ofSource(directory, "Counts", COUNTS);
    add("1.json", "a", "b");
    add("2.json", "b");

    Outcome first = counts(jar);

    assertThat(first.code()).as(first.all()).isZero();
    assertThat(first.output()).contains("batch 0 has [", "[b,1]", "batch 1 has [[b,2]]");
    assertThat(first.errors())
        .contains("counts batch 1: ", "copies batch 1: ", "Done after 4 batches: 6 rows read");
    assertThat(directory.resolve("checkpoint/counts")).isDirectory();
    assertThat(directory.resolve("checkpoint/copies")).isDirectory();

    add("3.json", "a");
    Outcome second = counts(jar);

    assertThat(second.output()).contains("batch 2 has [[a,2]]").doesNotContain("batch 1 has");
    assertThat(rows("SELECT word FROM read_json('DIR/copies/*.json') ORDER BY 1"))
        .containsExactly("a", "a", "b", "b");
  }

  @Test
  void everyBatchIsAnObjectIfAskedForAndTheProgramsListenersHearOfItToo() throws IOException {
    Path jar = ProgramJar.ofSource(directory, "Counts", COUNTS);
    add("1.json", "a", "b");

    Outcome outcome = counts(jar, "--json", "--class", "Counts");

    assertThat(outcome.code()).as(outcome.all()).isZero();
    assertThat(outcome.output().lines().filter(line -> line.startsWith("{")))
        .hasSize(2)
        .allMatch(line -> line.contains("\"numInputRows\":2"));
    assertThat(outcome.output()).contains("listener heard of batch 0");
  }

  @Test
  void planDrawsAProgramAndRunsNothing() throws IOException {
    Path jar = ProgramJar.ofExample(directory, "RevenueJob");
    Files.createDirectories(directory.resolve("data/orders"));

    Outcome outcome =
        Outcome.of("plan", "--jar", jar.toString(), "--set", "DATA=" + directory.resolve("data"));

    assertThat(outcome.code()).as(outcome.all()).isZero();
    assertThat(outcome.output())
        .containsSubsequence(
            "query revenue",
            "trigger      available-now",
            "guarantee    exactly once",
            "source orders: json",
            "state dedupeWithinWatermark",
            "state stateStoreSave",
            "sink revenue: parquet");
    assertThat(directory.resolve("data")).isDirectoryNotContaining("glob:**/{checkpoint,revenue}");
  }

  private Outcome counts(Path jar, String... more) {
    List<String> arguments = new ArrayList<>(List.of("run", "--jar", jar.toString()));
    arguments.addAll(List.of("--set", "IN=" + directory.resolve("in")));
    arguments.addAll(List.of("--trigger", "available-now"));
    arguments.addAll(List.of("--checkpoint", directory.resolve("checkpoint").toString()));
    arguments.addAll(List.of(more));
    return Outcome.of(arguments.toArray(String[]::new));
  }

  private void add(String file, String... words) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String word : words) {
      lines.append("{\"word\":\"").append(word).append("\"}\n");
    }
    Files.createDirectories(directory.resolve("in"));
    Files.writeString(directory.resolve("in").resolve(file), lines);
  }

  private List<String> rows(String select) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(select.replace("DIR", directory.toString()))) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        rows.add(row.getString(1));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(select, e);
    }
  }
}

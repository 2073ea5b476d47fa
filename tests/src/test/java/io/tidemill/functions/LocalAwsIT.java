package io.tidemill.functions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.process.Command;
import io.tidemill.process.CommandRun;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command local-aws, with the packages of the functions and all that they need. */
class LocalAwsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Path ROOT = root();

  private static final String TWO_QUERIES =
      """
      -- schedule: cron(0 6 * * ? *)
      CREATE STREAM events (k VARCHAR NOT NULL, v DECIMAL(18,2) NOT NULL, t TIMESTAMP NOT NULL,
        WATERMARK FOR t AS t - INTERVAL 1 MINUTE)
      WITH (connector = 'json', path = '${IN}', maxFilesPerTrigger = '1');
      CREATE SINK sums WITH (connector = 'parquet', path = '${OUT}/sums');
      CREATE SINK copies WITH (connector = 'json', path = '${COPIES}');
      SET state = 'dynamodb';
      SET trigger = 'available-now';
      SET checkpoint = '${CHECKPOINTS}';
      INSERT INTO sums
      SELECT window_start, k, sum(v) AS total
      FROM TUMBLE(events, t, INTERVAL 1 MINUTE) GROUP BY window_start, k;
      INSERT INTO copies SELECT k, v FROM events WHERE v > 2;
      """;

  @TempDir Path directory;

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here;
  }

  private CommandRun start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(Command.classPath(directory).start());
    command.add(1, "-Dtidemill.home=" + ROOT);
    command.add("local-aws");
    return new Command(command).run(arguments);
  }

  private static List<JsonNode> objects(CommandRun run) {
    return run.lines().stream()
        .filter(line -> line.startsWith("{"))
        .map(line -> Json.read(line, JsonNode.class))
        .toList();
  }

  private static double sum(List<JsonNode> objects, String field) {
    return objects.stream().mapToDouble(o -> o.path(field).asDouble()).sum();
  }

  @Test
  void theOrdersAreRightToTheCentAndEveryBatchSaysWhatItUsed() throws Exception {
    Path job = ROOT.resolve("examples/orders/revenue.sql");
    try (CommandRun run = start(job.toString(), "--records", "8000", "--json")) {
      assertThat(run.awaitEnd(PATIENCE)).as(run.output()).isZero();
      List<JsonNode> objects = objects(run);
      List<JsonNode> batches = objects.subList(0, objects.size() - 1);
      JsonNode last = objects.get(objects.size() - 1);

      assertThat(last.path("records").asLong()).isEqualTo(8_000);
      assertThat(last.path("revenueTotal").decimalValue())
          .isPositive()
          .isEqualByComparingTo(last.path("expectedRevenueTotal").decimalValue());
      assertThat(last.path("batches").asInt()).isEqualTo(batches.size()).isGreaterThan(8);
      assertThat(last.path("idleDollarsPerMonth").asDouble()).isPositive();
      assertThat(last.path("schedule").asText()).isEqualTo("rate(15 minutes)");
      assertThat(batches)
          .extracting(b -> b.path("batchId").asInt())
          .isSorted()
          .doesNotHaveDuplicates();
      for (JsonNode batch : batches) {
        assertThat(batch.path("functionSeconds").asDouble()).isPositive();
        assertThat(batch.path("payloadBytes").asLong()).isPositive();
        assertThat(batch.path("estimatedDollars").asDouble()).isPositive();
        assertThat(batch.path("s3Puts").asLong()).isPositive();
      }
      // A small batch is one task: its record, and one write of the head, are all that is written.
      JsonNode usual = batches.get(2);
      assertThat(usual.path("invocations").asInt()).isEqualTo(1);
      assertThat(usual.path("dynamoReads").asInt()).isZero();
      assertThat(usual.path("dynamoWrites").asInt()).isEqualTo(2);
      for (String field :
          List.of(
              "invocations", "dynamoReads", "dynamoWrites", "s3Puts", "s3Gets", "payloadBytes")) {
        assertThat(sum(batches, field)).as(field).isEqualTo(last.path(field).asDouble());
      }
    }
  }

  @Test
  void anyOtherJobRunsOnWhatItNamesAndGoesOnWhereItWas() throws Exception {
    for (int i = 1; i <= 2; i++) {
      Files.createDirectories(directory.resolve("in"));
      Files.writeString(
          directory.resolve("in/" + i + ".json"),
          "{\"k\":\"a\",\"v\":1.50,\"t\":\"2026-03-01T00:0%d:00Z\"}\n".formatted(3 * i)
              + "{\"k\":\"b\",\"v\":2.25,\"t\":\"2026-03-01T00:0%d:30Z\"}\n".formatted(3 * i));
    }
    Path job = Files.writeString(directory.resolve("two.sql"), TWO_QUERIES);
    Path in = Path.of("").toAbsolutePath().relativize(directory.resolve("in").toAbsolutePath());
    String[] arguments = {
      job.toString(),
      "--json",
      "--keep",
      directory.resolve("kept").toString(),
      "--set",
      "IN=" + in,
      "--set",
      "COPIES=" + directory.resolve("copies")
    };
    try (CommandRun run = start(arguments)) {
      assertThat(run.awaitEnd(PATIENCE)).as(run.output()).isZero();
      List<JsonNode> objects = objects(run);
      JsonNode last = objects.get(objects.size() - 1);
      assertThat(last.path("records").asLong()).isEqualTo(8);
      assertThat(last.path("rowsOut").asLong()).as("two copies, two sums").isEqualTo(4);
      assertThat(last.has("revenueTotal")).isFalse();
      assertThat(objects).extracting(o -> o.path("name").asText()).contains("sums", "copies");
    }
    assertThat(directory.resolve("kept/functions.log")).isNotEmptyFile();
    Files.writeString(
        job, TWO_QUERIES.replace("INTERVAL 1 MINUTE) GROUP", "INTERVAL 2 MINUTE) GROUP"));
    try (CommandRun run = start(arguments)) {
      assertThat(run.awaitEnd(PATIENCE)).as(run.output()).isEqualTo(3);
      assertThat(run.output()).contains("CHECKPOINT_MISMATCH");
    }
  }

  @Test
  void ordersAreMadeForTheirOwnJobOnly() throws Exception {
    Path job = Files.writeString(directory.resolve("two.sql"), TWO_QUERIES);
    try (CommandRun run = start(job.toString(), "--records", "10")) {
      assertThat(run.awaitEnd(PATIENCE)).isEqualTo(2);
      assertThat(run.output()).contains("--records belongs to examples/orders/revenue.sql");
    }
  }
}

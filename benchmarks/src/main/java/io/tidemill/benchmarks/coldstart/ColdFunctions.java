package io.tidemill.benchmarks.coldstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.benchmarks.harness.Workbench;
import io.tidemill.benchmarks.revenue.RevenueJob;
import io.tidemill.host.HostSettings;
import io.tidemill.host.LambdaHost;
import io.tidemill.host.Tally;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Runs a job's first batch through both packaged functions, with no process there before. */
final class ColdFunctions {
  private static final String JOB = "first-batch.sql";
  private static final int MEMORY_MEGABYTES = 2_048;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final Workbench bench;
  private final HttpClient client = HttpClient.newHttpClient();

  ColdFunctions(Workbench bench) {
    this.bench = bench;
  }

  /**
   * Runs the job once and measures it.
   *
   * @param snapshot whether the functions start from a snapshot, as the template deploys them
   * @param trigger {@code once} for one batch; {@code available-now} also for the results that the
   *     batch's watermark makes final
   */
  ColdRun run(RevenueJob job, boolean snapshot, String trigger, Path directory)
      throws IOException, InterruptedException {
    Path jobs = Files.createDirectories(directory.resolve("jobs"));
    Files.copy(
        bench.root().resolve("benchmarks/jobs").resolve(JOB),
        jobs.resolve(JOB),
        StandardCopyOption.REPLACE_EXISTING);
    Map<String, String> variables = new TreeMap<>();
    variables.put("BOOTSTRAP", job.bootstrapServers());
    variables.put("TOPIC", job.topic());
    variables.put("OUT", directory.resolve("out").toString());
    variables.put("CHECKPOINT", directory.resolve("checkpoint").toString());
    variables.put("TRIGGER", trigger);
    ColdRun run = trigger(snapshot, directory, jobs, variables);
    if (run.rows() != job.batchRecords()) {
      throw new IOException(run.rows() + " of " + job.batchRecords() + " records were read");
    }
    return run;
  }

  private ColdRun trigger(
      boolean snapshot, Path directory, Path jobs, Map<String, String> variables)
      throws IOException, InterruptedException {
    Map<String, String> all = new TreeMap<>(variables);
    all.put("TIDEMILL_JOBS", jobs.toString());
    try (LambdaHost host =
        LambdaHost.start(
            HostSettings.calm(
                directory.resolve("host"),
                InstantSource.system(),
                () -> UUID.randomUUID().toString()))) {
      TidemillFunctions.Size size = new TidemillFunctions.Size(MEMORY_MEGABYTES, 2, TIMEOUT);
      new TidemillFunctions(TidemillFunctions.zipIn(bench.root()), snapshot, size, size)
          .deployTo(host, all, Map.of());
      long start = System.nanoTime();
      JsonNode answer = ask(host);
      double seconds = (System.nanoTime() - start) / 1e9;
      Tally tasks = host.tally(TidemillFunctions.BATCH);
      return new ColdRun(answer.path("inputRows").asLong(), tasks.billedMillis() / 1e3, seconds);
    }
  }

  private JsonNode ask(LambdaHost host) throws IOException, InterruptedException {
    URI uri =
        host.endpoint()
            .resolve("/2015-03-31/functions/" + TidemillFunctions.ORCHESTRATOR + "/invocations");
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(uri)
                .POST(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"action\":\"trigger\",\"query\":\"revenue\"}"))
                .build(),
            HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200
        || response.headers().firstValue("X-Amz-Function-Error").isPresent()) {
      throw new IOException(
          "The functions failed: "
              + new String(response.body(), StandardCharsets.UTF_8)
              + "\n"
              + host.logs());
    }
    return Json.read(response.body(), JsonNode.class);
  }
}

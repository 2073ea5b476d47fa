package io.tidemill.functions;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Faults;
import io.tidemill.host.HostSettings;
import io.tidemill.host.LambdaHost;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Both functions, deployed from the package of this machine's architecture. */
public final class Deployment implements AutoCloseable {
  private static final int MEGABYTES = 1_024;
  private static final Duration BATCH_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int THROTTLED = 429;
  private static final long PAUSE_NANOS = 200_000_000;

  private final LambdaHost host;
  private final HttpClient client = HttpClient.newHttpClient();

  /**
   * @param variables of both functions, beside what they need anyway
   */
  public Deployment(
      Path directory,
      String jobs,
      Faults faults,
      Duration orchestratorTimeout,
      boolean snapStart,
      Map<String, String> variables) {
    this(directory, zip(), jobs, faults, orchestratorTimeout, snapStart, variables);
  }

  /**
   * @param zip the package of both functions
   * @param variables of both functions, beside what they need anyway
   */
  Deployment(
      Path directory,
      Path zip,
      String jobs,
      Faults faults,
      Duration orchestratorTimeout,
      boolean snapStart,
      Map<String, String> variables) {
    host =
        LambdaHost.start(
            HostSettings.calm(directory, InstantSource.system(), () -> UUID.randomUUID().toString())
                .withFaults(faults));
    Map<String, String> all = new TreeMap<>(variables);
    all.put("TIDEMILL_JOBS", jobs);
    new TidemillFunctions(
            zip,
            snapStart,
            new TidemillFunctions.Size(MEGABYTES, 3, orchestratorTimeout),
            new TidemillFunctions.Size(MEGABYTES, 4, BATCH_TIMEOUT))
        .deployTo(host, all, Map.of());
  }

  /** The package as it is built. */
  static Path zip() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return TidemillFunctions.zipIn(here);
  }

  public LambdaHost host() {
    return host;
  }

  /** Sends an event to the orchestrator and returns its answer; an error fails. */
  JsonNode ask(String event) throws IOException, InterruptedException {
    return answer(send(event));
  }

  private JsonNode answer(HttpResponse<byte[]> response) {
    if (response.statusCode() != 200
        || response.headers().firstValue("X-Amz-Function-Error").isPresent()) {
      throw new AssertionError(response.statusCode() + " " + text(response) + "\n" + host.logs());
    }
    return Json.read(response.body(), JsonNode.class);
  }

  /** Sends the event that asks something of a query. */
  JsonNode ask(String action, String query) throws IOException, InterruptedException {
    return ask(event(action, query));
  }

  static String event(String action, String query) {
    return "{\"action\":\"" + action + "\",\"query\":\"" + query + "\"}";
  }

  /**
   * Triggers a query once.
   *
   * @return the outcome; {@code throttled} if there was no instance for it, {@code failed} if the
   *     run ended with an error, {@code lost} if no answer came
   */
  public String trigger(String query) throws InterruptedException {
    try {
      HttpResponse<byte[]> response = send(event("trigger", query));
      if (response.statusCode() == THROTTLED) {
        return "throttled";
      }
      boolean answered =
          response.statusCode() == 200
              && response.headers().firstValue("X-Amz-Function-Error").isEmpty();
      return answered
          ? Json.read(response.body(), JsonNode.class).path("outcome").asText()
          : "failed";
    } catch (IOException e) {
      return "lost";
    }
  }

  /**
   * Triggers a query until a run says that nothing is left to do. A run without the time for all of
   * it goes on by itself, and others find it active until it is done; an error fails.
   *
   * @return what the last run says
   */
  JsonNode finish(String query) throws IOException, InterruptedException {
    long from = System.nanoTime();
    while (true) {
      HttpResponse<byte[]> response = send(event("trigger", query));
      if (response.statusCode() != THROTTLED) {
        JsonNode answer = answer(response);
        if (answer.path("outcome").asText().equals("done")) {
          return answer;
        }
      }
      pause(from, text(response));
    }
  }

  /**
   * Triggers a query until that comes of it, whatever comes of it before.
   *
   * @param remark for the error if it does not
   */
  void awaitOutcome(String outcome, String query, String remark) throws InterruptedException {
    long from = System.nanoTime();
    for (String last = trigger(query); !last.equals(outcome); last = trigger(query)) {
      pause(from, last + ", " + remark);
    }
  }

  /** Rows that committed batches of a query have read, of a query with few batches. */
  long inputRows(String query) throws IOException, InterruptedException {
    long rows = 0;
    for (JsonNode batch : ask("status", query).path("recent")) {
      rows += batch.path("numInputRows").asLong();
    }
    return rows;
  }

  /** Waits until no instance is at work, second attempts at tasks included. */
  public void awaitQuiet() {
    long from = System.nanoTime();
    while (host.busy(TidemillFunctions.BATCH) + host.busy(TidemillFunctions.ORCHESTRATOR) > 0) {
      pause(from, "instances are at work");
    }
  }

  /**
   * Waits a little before another look, for minutes in all.
   *
   * @param from when waiting began, in nanoseconds
   * @param found for the error if the time is over
   */
  void pause(long from, String found) {
    if (System.nanoTime() - from > PATIENCE.toNanos()) {
      throw new AssertionError("After " + PATIENCE + ": " + found + "\n" + host.logs());
    }
    LockSupport.parkNanos(PAUSE_NANOS);
  }

  /** Sends an event to the orchestrator. */
  public HttpResponse<byte[]> send(String event) throws IOException, InterruptedException {
    URI uri =
        host.endpoint()
            .resolve(
                "/2015-03-31/functions/"
                    + TidemillFunctions.ORCHESTRATOR
                    + ":"
                    + TidemillFunctions.ALIAS
                    + "/invocations");
    return client.send(
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(event)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    host.close();
  }
}

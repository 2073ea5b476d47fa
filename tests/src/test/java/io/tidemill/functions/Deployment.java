package io.tidemill.functions;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.Faults;
import io.tidemill.host.FunctionSpec;
import io.tidemill.host.HostSettings;
import io.tidemill.host.LambdaHost;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Both functions, deployed from the package of this machine's architecture. */
public final class Deployment implements AutoCloseable {
  public static final String ORCHESTRATOR = "orchestrator";
  public static final String BATCH = "batch";

  private static final String HANDLER =
      "io.quarkus.amazon.lambda.runtime.QuarkusStreamHandler::handleRequest";

  private static final Duration BATCH_TIMEOUT = Duration.ofSeconds(60);

  private final boolean snapStart;
  private final Path zip;
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
    this.snapStart = snapStart;
    this.zip = zip;
    host =
        LambdaHost.start(
            HostSettings.calm(directory, InstantSource.system(), () -> UUID.randomUUID().toString())
                .withFaults(faults));
    Map<String, String> all = new TreeMap<>(variables);
    all.put("TIDEMILL_JOBS", jobs);
    all.put("AWS_ENDPOINT_URL_LAMBDA", host.endpoint().toString());
    deploy(BATCH, "task", 4, BATCH_TIMEOUT, all);
    all.put("TIDEMILL_BATCH_FUNCTION", BATCH + ":live");
    deploy(ORCHESTRATOR, "orchestrator", 3, orchestratorTimeout, all);
  }

  private void deploy(
      String name,
      String handler,
      int concurrency,
      Duration timeout,
      Map<String, String> variables) {
    Map<String, String> own = new TreeMap<>(variables);
    own.put("QUARKUS_LAMBDA_HANDLER", handler);
    host.deploy(
        new FunctionSpec(
            name, zip, HANDLER, 1_024, timeout, concurrency, snapStart, Set.of("live"), own));
  }

  /** The package as it is built. */
  static Path zip() {
    String machine = System.getProperty("os.arch");
    String architecture = machine.equals("aarch64") ? "arm64" : "x86_64";
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here.resolve("lambda-functions/target/tidemill-functions-" + architecture + ".zip");
  }

  public LambdaHost host() {
    return host;
  }

  /** Sends an event to the orchestrator and returns its answer; an error fails. */
  JsonNode ask(String event) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = send(event);
    if (response.statusCode() != 200
        || response.headers().firstValue("X-Amz-Function-Error").isPresent()) {
      throw new AssertionError(response.statusCode() + " " + text(response) + "\n" + host.logs());
    }
    return Json.read(response.body(), JsonNode.class);
  }

  /** Sends an event to the orchestrator. */
  public HttpResponse<byte[]> send(String event) throws IOException, InterruptedException {
    URI uri =
        host.endpoint().resolve("/2015-03-31/functions/" + ORCHESTRATOR + ":live/invocations");
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

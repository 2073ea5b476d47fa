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

/** Both functions, deployed from the package of this machine's architecture. */
public final class Deployment implements AutoCloseable {
  private static final int MEGABYTES = 1_024;
  private static final Duration BATCH_TIMEOUT = Duration.ofSeconds(60);

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

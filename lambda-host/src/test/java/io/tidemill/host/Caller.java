package io.tidemill.host;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;

/** Invokes functions over HTTP, as an SDK would. */
final class Caller {
  private final URI endpoint;
  private final HttpClient client = HttpClient.newHttpClient();

  Caller(URI endpoint) {
    this.endpoint = endpoint;
  }

  HttpResponse<byte[]> call(String function, String event) {
    return call(function, "RequestResponse", event);
  }

  HttpResponse<byte[]> call(String function, String type, String event) {
    try {
      return client.send(request(function, type, event), HttpResponse.BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  CompletableFuture<HttpResponse<byte[]>> callLater(String function, String event) {
    return client.sendAsync(
        request(function, "RequestResponse", event), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpRequest request(String function, String type, String event) {
    return HttpRequest.newBuilder(
            endpoint.resolve("/2015-03-31/functions/" + function + "/invocations"))
        .header("X-Amz-Invocation-Type", type)
        .POST(HttpRequest.BodyPublishers.ofString(event))
        .build();
  }

  static JsonNode json(HttpResponse<byte[]> response) {
    return Json.read(response.body(), JsonNode.class);
  }
}

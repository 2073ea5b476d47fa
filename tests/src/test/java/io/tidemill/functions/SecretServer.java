package io.tidemill.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Secrets Manager's GetSecretValue and Parameter Store's GetParameter, with what tests put in. */
final class SecretServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, String> secrets = new ConcurrentHashMap<>();
  private final Map<String, String> parameters = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> lookups = new ConcurrentHashMap<>();

  /** What is answered to a request. */
  private record Answer(int status, Map<String, ?> content) {
    static Answer of(String value, Map<String, ?> found, String missing) {
      return value == null
          ? new Answer(400, Map.of("__type", missing, "message", "there is none of that name"))
          : new Answer(200, found);
    }
  }

  SecretServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          JsonNode request = Json.read(exchange.getRequestBody().readAllBytes(), JsonNode.class);
          String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
          Answer answer = answer(target.substring(target.indexOf('.') + 1), request);
          byte[] body = Json.write(answer.content()).getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
          exchange.sendResponseHeaders(answer.status(), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  private Answer answer(String operation, JsonNode request) {
    if (operation.equals("GetSecretValue")) {
      String name = request.path("SecretId").asText();
      lookups.computeIfAbsent(name, n -> new AtomicInteger()).incrementAndGet();
      String value = secrets.get(name);
      return Answer.of(value, Map.of("SecretString", value + ""), "ResourceNotFoundException");
    }
    String name = request.path("Name").asText();
    // Without it, the store gives what it has encrypted.
    boolean decrypted =
        operation.equals("GetParameter") && request.path("WithDecryption").asBoolean();
    String value = decrypted ? parameters.get(name) : null;
    return Answer.of(value, Map.of("Parameter", Map.of("Value", value + "")), "ParameterNotFound");
  }

  SecretServer withSecret(String name, String value) {
    secrets.put(name, value);
    return this;
  }

  SecretServer withParameter(String name, String value) {
    parameters.put(name, value);
    return this;
  }

  /** How often a secret was asked for. */
  int lookups(String name) {
    return lookups.getOrDefault(name, new AtomicInteger()).get();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

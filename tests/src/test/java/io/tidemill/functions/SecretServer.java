package io.tidemill.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;

/** Secrets Manager with one secret for all names, and Parameter Store with one parameter. */
final class SecretServer implements AutoCloseable {
  private final HttpServer server;

  SecretServer(String secret, String parameter) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          boolean isParameter =
              exchange.getRequestHeaders().getFirst("X-Amz-Target").endsWith("GetParameter");
          byte[] answer =
              Json.write(
                      isParameter
                          ? Map.of("Parameter", Map.of("Value", parameter))
                          : Map.of("SecretString", secret))
                  .getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

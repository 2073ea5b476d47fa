package io.tidemill.aws.local;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;

/**
 * Stands in front of a server, hands on what is asked and answered as it is, and says of every
 * request who asked and what AWS would charge, before the answer goes out. Thread-safe.
 */
final class Meter implements AutoCloseable {
  static {
    // A signature covers the host that was asked, which must reach the server unchanged.
    System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host");
    // Without it the JDK's server leaves 40 ms between the headers and the body of a response.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  /** Belong to one connection, or are made anew from the body. */
  private static final Set<String> OWN_HEADERS =
      Set.of("connection", "content-length", "transfer-encoding", "expect", "upgrade");

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final int BAD_GATEWAY = 502;

  private final URI behind;
  private final Tariff tariff;
  private final BiConsumer<String, Charge> charges;
  private final HttpClient client;
  private final HttpServer server;
  private final ExecutorService threads;

  /**
   * @param behind the server that answers
   * @param charges told the trace of the asking invocation, empty if it was none, and the charge
   */
  Meter(URI behind, Tariff tariff, BiConsumer<String, Charge> charges) {
    this.behind = behind;
    this.tariff = tariff;
    this.charges = charges;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    try {
      this.server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "No port could be opened for counting requests.", e);
    }
    this.threads = Executors.newCachedThreadPool(Meter::daemon);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "aws-meter");
    thread.setDaemon(true);
    return thread;
  }

  /** What clients ask instead of the server. */
  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpResponse<InputStream> reply =
          client.send(request(exchange), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = reply.body()) {
        answer(exchange, reply, body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      exchange.sendResponseHeaders(BAD_GATEWAY, -1);
    }
  }

  private HttpRequest request(HttpExchange exchange) {
    URI asked = exchange.getRequestURI();
    String query = asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(behind + asked.getRawPath() + query))
            .method(exchange.getRequestMethod(), body(exchange));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    return request.build();
  }

  private static BodyPublisher body(HttpExchange exchange) {
    long length = bodyBytes(exchange);
    return length == 0
        ? BodyPublishers.noBody()
        : BodyPublishers.fromPublisher(
            BodyPublishers.ofInputStream(exchange::getRequestBody), length);
  }

  private static long bodyBytes(HttpExchange exchange) {
    return header(exchange, "Content-Length").map(Long::parseLong).orElse(0L);
  }

  private static Optional<String> header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
  }

  private void answer(HttpExchange exchange, HttpResponse<InputStream> reply, InputStream body)
      throws IOException {
    byte[] read = tariff.looksIntoReplies() ? body.readAllBytes() : new byte[0];
    charges.accept(
        header(exchange, "X-Amzn-Trace-Id").orElse(""),
        tariff.charge(asked(exchange), reply.statusCode(), read));
    boolean head = exchange.getRequestMethod().equals("HEAD");
    reply
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              boolean own = OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT));
              if (!own || (head && name.equalsIgnoreCase("content-length"))) {
                exchange.getResponseHeaders().put(name, values);
              }
            });
    exchange.sendResponseHeaders(reply.statusCode(), head ? -1 : length(reply));
    if (!head) {
      exchange.getResponseBody().write(read);
      body.transferTo(exchange.getResponseBody());
    }
  }

  private static Tariff.Asked asked(HttpExchange exchange) {
    return new Tariff.Asked(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getPath(),
        Optional.ofNullable(exchange.getRequestURI().getRawQuery()),
        header(exchange, "X-Amz-Target"),
        bodyBytes(exchange));
  }

  /** As the JDK's server wants it: 0 if it is not known, -1 for no body. */
  private static long length(HttpResponse<InputStream> reply) {
    if (reply.statusCode() == 204 || reply.statusCode() == 304) {
      return -1;
    }
    long length = reply.headers().firstValueAsLong("content-length").orElse(0);
    boolean empty = length == 0 && reply.headers().firstValue("content-length").isPresent();
    return empty ? -1 : length;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}

package io.tidemill.host;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Lambda's Runtime API, version 2018-06-01, for one process. <a
 * href="https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html">The paths and headers</a>.
 */
final class RuntimeApi implements AutoCloseable {
  private static final String ROOT = "/2018-06-01/runtime/";

  /** What a process asks for and tells. */
  interface Calls {
    /** Waits for an invocation. */
    Invocation next() throws InterruptedException;

    /** When the invocation must be done, in milliseconds since the epoch. */
    long deadlineMillis();

    void answered(String requestId, Reply reply);

    void initFailed(Reply reply);
  }

  private final Calls calls;
  private final HttpServer server;
  private final ExecutorService threads;
  private volatile boolean asked;

  RuntimeApi(Calls calls) throws IOException {
    this.calls = calls;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    this.threads = Executors.newCachedThreadPool(Threads.named("lambda-runtime-api"));
    server.setExecutor(threads);
    server.createContext(ROOT, this::handle);
    server.start();
  }

  /** Host and port. */
  String address() {
    return server.getAddress().getAddress().getHostAddress() + ":" + server.getAddress().getPort();
  }

  /** Whether the process has come so far as to ask for an invocation. */
  boolean hasAsked() {
    return asked;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(ROOT.length());
      byte[] body = exchange.getRequestBody().readAllBytes();
      String[] parts = path.split("/", -1);
      if (path.equals("invocation/next")) {
        next(exchange);
      } else if (path.equals("init/error")) {
        calls.initFailed(Reply.failed(body));
        answer(exchange, 202, new byte[0]);
      } else if (path.equals("restore/next")) {
        answer(exchange, 200, new byte[0]);
      } else if (path.equals("restore/error")) {
        calls.initFailed(Reply.failed(body));
        answer(exchange, 202, new byte[0]);
      } else if (parts.length == 3 && parts[2].equals("response")) {
        calls.answered(parts[1], Limits.checked(parts[1], body));
        answer(exchange, 202, new byte[0]);
      } else if (parts.length == 3 && parts[2].equals("error")) {
        calls.answered(parts[1], Reply.failed(body));
        answer(exchange, 202, new byte[0]);
      } else {
        answer(exchange, 404, "no such path".getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private void next(HttpExchange exchange) throws IOException {
    asked = true;
    try {
      Invocation invocation = calls.next();
      var headers = exchange.getResponseHeaders();
      headers.set("Content-Type", "application/json");
      headers.set("Lambda-Runtime-Aws-Request-Id", invocation.requestId());
      headers.set("Lambda-Runtime-Deadline-Ms", Long.toString(calls.deadlineMillis()));
      headers.set("Lambda-Runtime-Invoked-Function-Arn", invocation.arn());
      headers.set("Lambda-Runtime-Trace-Id", trace(invocation.requestId()));
      if (!invocation.clientContext().isEmpty()) {
        headers.set("Lambda-Runtime-Client-Context", invocation.clientContext());
      }
      answer(exchange, 200, invocation.payload());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The trace of an invocation, from which AWS clients in the function make a header. */
  static String trace(String requestId) {
    String digits = requestId.replaceAll("[^0-9a-f]", "") + "0".repeat(32);
    return "Root=1-" + digits.substring(0, 8) + "-" + digits.substring(8, 32) + ";Sampled=0";
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}

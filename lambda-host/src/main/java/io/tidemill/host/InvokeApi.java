package io.tidemill.host;

import com.sun.net.httpserver.HttpExchange;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Lambda's Invoke API, version 2015-03-31. <a
 * href="https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html">Headers and errors</a>.
 */
final class InvokeApi {
  static final String ROOT = "/2015-03-31/functions/";
  private static final String END = "/invocations";

  private final Deployments deployments;
  private final HostSettings settings;
  private final Events events;

  InvokeApi(Deployments deployments, HostSettings settings, Events events) {
    this.deployments = deployments;
    this.settings = settings;
    this.events = events;
  }

  void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] payload = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getRawPath();
      if (!exchange.getRequestMethod().equals("POST") || !path.endsWith(END)) {
        refuse(exchange, 404, "ResourceNotFoundException", Map.of("Message", "no such path"));
        return;
      }
      String named =
          URLDecoder.decode(
              path.substring(ROOT.length(), path.length() - END.length()), StandardCharsets.UTF_8);
      Optional<Deployments.Target> target =
          deployments.find(named, qualifier(exchange.getRequestURI().getRawQuery()));
      if (target.isEmpty()) {
        refuse(
            exchange,
            404,
            "ResourceNotFoundException",
            Map.of("Type", "User", "Message", "Function not found: " + named));
        return;
      }
      invoke(exchange, target.get(), payload);
    }
  }

  private static Optional<String> qualifier(String query) {
    if (query == null) {
      return Optional.empty();
    }
    for (String parameter : query.split("&", -1)) {
      if (parameter.startsWith("Qualifier=")) {
        return Optional.of(
            URLDecoder.decode(parameter.substring("Qualifier=".length()), StandardCharsets.UTF_8));
      }
    }
    return Optional.empty();
  }

  private void invoke(HttpExchange exchange, Deployments.Target target, byte[] payload)
      throws IOException {
    String requestId = settings.ids().next();
    exchange.getResponseHeaders().set("x-amzn-RequestId", requestId);
    String type = header(exchange, "X-Amz-Invocation-Type", "RequestResponse");
    int most = type.equals("Event") ? Limits.EVENT_BYTES_MAX : Limits.PAYLOAD_BYTES_MAX;
    if (payload.length > most) {
      refuse(
          exchange,
          413,
          "RequestTooLargeException",
          Map.of("Type", "User", "message", "Request must be smaller than " + most + " bytes"));
    } else if (type.equals("DryRun")) {
      exchange.sendResponseHeaders(204, -1);
    } else if (type.equals("Event")) {
      events.accept(target, requestId, payload);
      exchange.sendResponseHeaders(202, -1);
    } else {
      await(exchange, target, requestId, payload);
    }
  }

  private void await(
      HttpExchange exchange, Deployments.Target target, String requestId, byte[] payload)
      throws IOException {
    Function function = target.function();
    Fate fate = settings.faults().next(function.spec().name());
    if (fate.requestLost()) {
      return;
    }
    String context = header(exchange, "X-Amz-Client-Context", "");
    Optional<CompletableFuture<Reply>> running =
        fate.throttled()
            ? Optional.empty()
            : function.invoke(requestId, target.arn(), payload, context, fate);
    if (running.isEmpty()) {
      function.throttled();
      refuse(
          exchange,
          429,
          "TooManyRequestsException",
          Map.of(
              "Reason",
              "ReservedFunctionConcurrentInvocationLimitExceeded",
              "Type",
              "User",
              "message",
              "Rate Exceeded."));
      return;
    }
    if (fate.duplicated()) {
      var unused = function.invoke(requestId, target.arn(), payload, context, fate.ofDuplicate());
    }
    Reply reply = running.get().join();
    if (!fate.replyLost()) {
      answer(exchange, reply);
    }
  }

  private static void answer(HttpExchange exchange, Reply reply) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/json");
    headers.set("X-Amz-Executed-Version", "$LATEST");
    reply.error().ifPresent(error -> headers.set("X-Amz-Function-Error", error));
    exchange.sendResponseHeaders(200, reply.payload().length == 0 ? -1 : reply.payload().length);
    exchange.getResponseBody().write(reply.payload());
  }

  private static void refuse(
      HttpExchange exchange, int status, String error, Map<String, String> body)
      throws IOException {
    byte[] bytes = Json.bytes(body);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("x-amzn-ErrorType", error);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String header(HttpExchange exchange, String name, String otherwise) {
    String value = exchange.getRequestHeaders().getFirst(name);
    return value == null ? otherwise : value;
  }
}

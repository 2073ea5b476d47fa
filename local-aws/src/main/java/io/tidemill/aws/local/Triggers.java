package io.tidemill.aws.local;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.host.TidemillFunctions;
import io.tidemill.host.Watch;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Triggers queries as EventBridge Scheduler does, by an asynchronous invocation of the
 * orchestrator, and hears how runs end, those that others went on with included. Thread-safe.
 */
public final class Triggers implements Watch {
  private static final int ACCEPTED = 202;

  private final Watch next;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, CompletableFuture<String>> running = new ConcurrentHashMap<>();
  private URI host;

  /**
   * @param next hears of everything first
   */
  Triggers(Watch next) {
    this.next = next;
  }

  void sendTo(URI lambda) {
    host = lambda;
  }

  /**
   * Asks the orchestrator to do something with a query.
   *
   * @param action trigger, stop or start; the same must not be asked of a query twice at a time
   * @param variables values of the job's variables
   * @return completes with the outcome, e.g. {@code done} or {@code stopped}, of a trigger once the
   *     run has ended; or with its error
   */
  public CompletableFuture<String> ask(
      String action, String job, String query, Map<String, String> variables) {
    CompletableFuture<String> ended = new CompletableFuture<>();
    running.put(key(action, query), ended);
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("action", action);
    event.put("job", job);
    event.put("query", query);
    event.put("variables", variables);
    event.put("force", false);
    HttpRequest request =
        HttpRequest.newBuilder(
                host.resolve(
                    "/2015-03-31/functions/"
                        + TidemillFunctions.ORCHESTRATOR
                        + ":"
                        + TidemillFunctions.ALIAS
                        + "/invocations"))
            .header("X-Amz-Invocation-Type", "Event")
            .POST(BodyPublishers.ofByteArray(Json.bytes(event)))
            .build();
    send(request);
    return ended;
  }

  private void send(HttpRequest request) {
    try {
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != ACCEPTED) {
        throw new TidemillException(
                ErrorCode.INTERNAL, "The host of the functions did not take an event.")
            .with("status", status);
      }
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "The host of the functions does not answer.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TidemillException(
          ErrorCode.INTERNAL, "Interrupted while invoking the orchestrator.", e);
    }
  }

  @Override
  public void begun(Delivery delivery) {
    next.begun(delivery);
  }

  @Override
  public void ended(Delivery delivery, Ending ending) {
    next.ended(delivery, ending);
    if (!delivery.function().equals(TidemillFunctions.ORCHESTRATOR)
        || RunAnswers.isContinued(ending)) {
      return;
    }
    JsonNode event = Json.read(delivery.event(), JsonNode.class);
    CompletableFuture<String> run =
        running.remove(key(event.path("action").asText(), event.path("query").asText()));
    if (run == null) {
      return; // Nobody waits for it any more.
    }
    if (ending.failed()) {
      run.completeExceptionally(RunAnswers.error(ending));
    } else {
      run.complete(RunAnswers.outcome(ending));
    }
  }

  private static String key(String action, String query) {
    return action + " " + query.toLowerCase(Locale.ROOT);
  }
}

package io.tidemill.simulation;

import io.tidemill.lambda.message.TaskAnswer;
import io.tidemill.lambda.message.TaskEvent;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * Lambda without processes. Nobody gets an answer before so many are waiting for one: then all of
 * them do. Counts how many were waiting at most.
 */
final class InMemoryLambda implements LambdaAsyncClient {
  private static final int THREADS = 2;

  private final int together;
  private final Function<TaskRequest, Invocation> invocations;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Runnable> held = new ArrayList<>();
  private int running;
  private int runningMost;
  private int invoked;

  /**
   * @param together how many invocations are answered together
   */
  InMemoryLambda(int together, Function<TaskRequest, Invocation> invocations) {
    this.together = together;
    this.invocations = invocations;
  }

  /** Most invocations that were not yet answered, at any time. */
  synchronized int runningMost() {
    return runningMost;
  }

  synchronized int invoked() {
    return invoked;
  }

  @Override
  public CompletableFuture<InvokeResponse> invoke(InvokeRequest request) {
    CompletableFuture<InvokeResponse> response = new CompletableFuture<>();
    List<Runnable> released = List.of();
    synchronized (this) {
      invoked++;
      running++;
      runningMost = Math.max(runningMost, running);
      held.add(() -> answer(request, response));
      if (held.size() == together) {
        released = List.copyOf(held);
        held.clear();
      }
    }
    released.forEach(threads::execute);
    return response;
  }

  private void answer(InvokeRequest request, CompletableFuture<InvokeResponse> response) {
    try {
      TaskEvent event = Json.read(request.payload().asByteArray(), TaskEvent.class);
      byte[] answer = Json.bytes(TaskAnswer.of(run(event.request().orElseThrow())));
      ended();
      response.complete(
          InvokeResponse.builder()
              .statusCode(200)
              .payload(SdkBytes.fromByteArrayUnsafe(answer))
              .build());
    } catch (RuntimeException | AssertionError e) {
      ended();
      response.completeExceptionally(e);
    }
  }

  private synchronized void ended() {
    running--;
  }

  private TaskResult run(TaskRequest request) {
    Invocation invocation = invocations.apply(request);
    Optional<TaskResult> result = Optional.empty();
    while (result.isEmpty()) {
      result = invocation.step();
    }
    return result.get();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

package io.tidemill.chaos;

import io.tidemill.lambda.task.TaskFunction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;
import software.amazon.awssdk.services.lambda.model.LambdaException;

/**
 * Lambda in this process: instances of the batch function, one task at a time each, that die and
 * freeze; invocations that are refused, lost and doubled. Thread-safe.
 */
final class ChaosLambda implements AutoCloseable {
  static final int CONCURRENCY = 4;

  private final Disturbance disturbance;
  private final Function<Life, TaskFunction> functions;
  private final Function<Disturbance, Life> lives;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Deque<Instance> idle = new ArrayDeque<>();
  private int running;

  private record Instance(Life life, TaskFunction function) {}

  /**
   * @param functions starts the function of a process
   */
  ChaosLambda(
      Disturbance disturbance,
      Function<Disturbance, Life> lives,
      Function<Life, TaskFunction> functions) {
    this.disturbance = disturbance;
    this.lives = lives;
    this.functions = functions;
  }

  /** Lambda as an orchestrator sees it, as long as it is alive. */
  LambdaAsyncClient client(Life caller) {
    return new LambdaAsyncClient() {
      @Override
      public CompletableFuture<InvokeResponse> invoke(InvokeRequest request) {
        return caller.isOver()
            ? CompletableFuture.failedFuture(new Death())
            : ChaosLambda.this.invoke(request.payload().asByteArray());
      }

      @Override
      public String serviceName() {
        return SERVICE_NAME;
      }

      @Override
      public void close() {}
    };
  }

  private CompletableFuture<InvokeResponse> invoke(byte[] event) {
    Rates rates = disturbance.rates();
    if (disturbance.happens("throttled invocations", rates.throttled())) {
      return CompletableFuture.failedFuture(
          LambdaException.builder()
              .statusCode(429)
              .awsErrorDetails(
                  AwsErrorDetails.builder().errorCode("TooManyRequestsException").build())
              .build());
    }
    if (disturbance.happens("lost invocations", rates.requestLost())) {
      return CompletableFuture.failedFuture(SdkClientException.create("the request is lost"));
    }
    CompletableFuture<InvokeResponse> response = new CompletableFuture<>();
    start(event, response);
    if (disturbance.happens("doubled invocations", rates.duplicated())) {
      start(event, new CompletableFuture<>());
    }
    return disturbance.happens("lost replies", rates.replyLost())
        ? response.thenApply(
            r -> {
              throw SdkClientException.create("the reply is lost");
            })
        : response;
  }

  private synchronized void start(byte[] event, CompletableFuture<InvokeResponse> response) {
    running++;
    threads.execute(() -> run(event, response));
  }

  private void run(byte[] event, CompletableFuture<InvokeResponse> response) {
    try {
      Instance instance = instance();
      byte[] answer = instance.function().handle(event);
      InvokeResponse.Builder reply = InvokeResponse.builder().statusCode(200);
      if (instance.life().isOver()) {
        reply
            .functionError("Unhandled")
            .payload(
                SdkBytes.fromString(
                    "{\"errorType\":\"Runtime.ExitError\"}", StandardCharsets.UTF_8));
      } else {
        reply.payload(SdkBytes.fromByteArrayUnsafe(answer));
        release(instance);
      }
      response.complete(reply.build());
    } catch (RuntimeException | Error e) {
      response.completeExceptionally(e);
    } finally {
      ended();
    }
  }

  private Instance instance() {
    synchronized (this) {
      if (!idle.isEmpty()) {
        return idle.pop();
      }
    }
    Life life = lives.apply(disturbance);
    return new Instance(life, functions.apply(life));
  }

  private synchronized void release(Instance instance) {
    idle.push(instance);
  }

  private synchronized void ended() {
    running--;
    notifyAll();
  }

  /** Waits until no function is at work, zombies included. */
  synchronized void awaitQuiet() throws InterruptedException {
    while (running > 0) {
      wait();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

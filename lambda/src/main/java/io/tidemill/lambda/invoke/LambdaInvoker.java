package io.tidemill.lambda.invoke;

import io.tidemill.checkpoint.Records;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.message.TaskEvent;
import io.tidemill.orchestrator.Invoker;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Settled;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.lambda.LambdaAsyncClient;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/**
 * Functions as Lambda invocations: as many at once as allowed, the others wait. Throttled ones are
 * sent again after a while; all other failures are the caller's to retry. Thread-safe.
 */
public final class LambdaInvoker implements Invoker {
  private static final long BACKOFF_MIN_MILLIS = 50;
  private static final long BACKOFF_MAX_MILLIS = 5_000;

  /** Answers may need a look at storage, which must not hold up the client's own threads. */
  private static final int ANSWER_THREADS = 2;

  private final LambdaAsyncClient client;
  private final InvokerSettings settings;
  private final JobReference job;
  private final Blob checkpoint;
  private final Answers answers;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final InvokerCounts counts = new InvokerCounts();
  private final ExecutorService threads;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private int running;

  /**
   * @param client repeats nothing by itself; the caller closes it
   * @param job what the tasks belong to
   * @param checkpoint where large requests are stored; the caller closes it
   * @param records where results are that are too large for an answer
   * @param random spreads what is sent again
   */
  public LambdaInvoker(
      LambdaAsyncClient client,
      InvokerSettings settings,
      JobReference job,
      Blob checkpoint,
      Records records,
      InstantSource clock,
      RandomGenerator random) {
    this.client = client;
    this.settings = settings;
    this.job = job;
    this.checkpoint = checkpoint;
    this.answers = new Answers(settings.function(), new TaskRecords(records));
    this.clock = clock;
    this.random = random;
    this.threads =
        Executors.newFixedThreadPool(
            ANSWER_THREADS,
            task -> {
              Thread thread = new Thread(task, "lambda-answers");
              thread.setDaemon(true);
              return thread;
            });
  }

  private static final class Call {
    final TaskRequest request;
    final byte[] event;
    final CompletableFuture<TaskResult> result = new CompletableFuture<>();
    long deadlineMillis;
    int throttles;

    Call(TaskRequest request, byte[] event) {
      this.request = request;
      this.event = event;
    }
  }

  public InvokerCounts counts() {
    return counts;
  }

  @Override
  public int parallelism() {
    return settings.concurrency();
  }

  @Override
  public CompletableFuture<TaskResult> invoke(TaskRequest request) {
    Call call;
    try {
      call = new Call(request, event(request));
    } catch (TidemillException e) {
      // As any failure of an invocation: the caller may try again.
      return CompletableFuture.failedFuture(e);
    }
    synchronized (this) {
      waiting.add(call);
    }
    startWaiting();
    return call.result;
  }

  private byte[] event(TaskRequest request) {
    byte[] event = Json.bytes(TaskEvent.of(job, request));
    if (event.length <= settings.payloadBytesMax()) {
      return event;
    }
    // Lies with the shuffles: it is collected with them, and nobody reads it after the batch.
    String key = "shuffle/" + request.task().path() + "-request-" + request.attempt() + ".json";
    if (!Settled.putIfAbsent(checkpoint, key, Json.bytes(request))) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "An attempt id was used twice, so a request could not be stored.")
          .with("key", key);
    }
    counts.stored();
    return Json.bytes(TaskEvent.stored(job, request.checkpoint(), key));
  }

  private void startWaiting() {
    Call next = nextOf();
    while (next != null) {
      next.deadlineMillis = clock.millis() + settings.timeout().toMillis();
      send(next);
      next = nextOf();
    }
  }

  private synchronized Call nextOf() {
    while (running < settings.concurrency() && !waiting.isEmpty()) {
      Call call = waiting.poll();
      if (!call.result.isDone()) {
        running++;
        return call;
      }
    }
    return null;
  }

  private void send(Call call) {
    long leftMillis = call.deadlineMillis - clock.millis();
    if (call.result.isDone() || leftMillis <= 0) {
      finish(call, null, answers.throttledTooLong(call.request, call.throttles));
      return;
    }
    counts.invoked(call.event.length);
    InvokeRequest invocation =
        InvokeRequest.builder()
            .functionName(settings.function())
            .payload(SdkBytes.fromByteArrayUnsafe(call.event))
            .build();
    var unused =
        client
            .invoke(invocation)
            .orTimeout(leftMillis, TimeUnit.MILLISECONDS)
            .whenCompleteAsync((response, failure) -> answered(call, response, failure), threads);
  }

  private void answered(Call call, InvokeResponse response, Throwable failure) {
    try {
      if (failure == null) {
        finish(call, answers.result(call.request, response), null);
      } else if (Answers.isThrottled(failure)) {
        counts.throttled();
        CompletableFuture.delayedExecutor(pauseMillis(call.throttles++), TimeUnit.MILLISECONDS)
            .execute(() -> send(call));
      } else {
        finish(call, null, answers.failure(call.request, failure));
      }
    } catch (RuntimeException e) {
      finish(call, null, e);
    }
  }

  /** Doubles up to a limit; somewhere in the second half, so that not all come back together. */
  private long pauseMillis(int throttles) {
    long most = Math.min(BACKOFF_MAX_MILLIS, BACKOFF_MIN_MILLIS << Math.min(throttles, 10));
    synchronized (random) {
      return most / 2 + random.nextLong(most / 2 + 1);
    }
  }

  private void finish(Call call, TaskResult result, RuntimeException failure) {
    synchronized (this) {
      running--;
    }
    startWaiting();
    if (failure == null) {
      call.result.complete(result);
    } else {
      call.result.completeExceptionally(failure);
    }
  }

  @Override
  public void close() {
    Deque<Call> left;
    synchronized (this) {
      left = new ArrayDeque<>(waiting);
      waiting.clear();
    }
    left.forEach(call -> call.result.cancel(false));
    threads.shutdown();
  }
}

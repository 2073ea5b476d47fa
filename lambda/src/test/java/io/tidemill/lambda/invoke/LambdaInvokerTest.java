package io.tidemill.lambda.invoke;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.checkpoint.Records;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.lambda.message.Failure;
import io.tidemill.lambda.message.JobReference;
import io.tidemill.lambda.message.TaskAnswer;
import io.tidemill.lambda.message.TaskEvent;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Blob;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.memory.MemoryBlob;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.lambda.model.InvokeRequest;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

class LambdaInvokerTest {
  private static final JobReference JOB = new JobReference("job.sql", "hash", "q", Map.of());

  private final MemoryBlob blob = new MemoryBlob();

  private LambdaInvoker invoker(FakeLambda lambda, int concurrency, int payloadBytesMax) {
    return invoker(lambda, concurrency, payloadBytesMax, blob);
  }

  private LambdaInvoker invoker(
      FakeLambda lambda, int concurrency, int payloadBytesMax, Blob requests) {
    return new LambdaInvoker(
        lambda,
        new InvokerSettings("batch:live", concurrency, Duration.ofSeconds(20), payloadBytesMax),
        JOB,
        requests,
        Records.in(blob),
        InstantSource.system(),
        new SplittableRandom(1));
  }

  private static TaskEvent event(InvokeRequest request) {
    return Json.read(request.payload().asByteArray(), TaskEvent.class);
  }

  private static CompletableFuture<InvokeResponse> done(InvokeRequest request) {
    TaskRequest task = event(request).request().orElseThrow();
    return FakeLambda.answer(Json.bytes(TaskAnswer.of(Tasks.result(task))));
  }

  @Test
  void aTaskIsSentAsAnEventAndItsResultComesBack() {
    FakeLambda lambda = new FakeLambda((number, request) -> done(request));
    try (LambdaInvoker invoker = invoker(lambda, 1, 1 << 20)) {
      TaskRequest request = Tasks.request(0);
      assertThat(invoker.invoke(request).join()).isEqualTo(Tasks.result(request));
      assertThat(lambda.requests.get(0).functionName()).isEqualTo("batch:live");
      assertThat(event(lambda.requests.get(0)).job()).isEqualTo(JOB);
      assertThat(event(lambda.requests.get(0)).request()).contains(request);
      assertThat(invoker.counts().invocations()).isEqualTo(1);
    }
  }

  @Test
  void noMoreTasksThanAllowedAreSentAtOnce() {
    List<CompletableFuture<InvokeResponse>> held = new ArrayList<>();
    FakeLambda lambda =
        new FakeLambda(
            (number, request) -> {
              held.add(new CompletableFuture<>());
              return held.get(number);
            });
    try (LambdaInvoker invoker = invoker(lambda, 2, 1 << 20)) {
      List<CompletableFuture<TaskResult>> results = new ArrayList<>();
      for (int part = 0; part < 3; part++) {
        results.add(invoker.invoke(Tasks.request(part)));
      }
      assertThat(lambda.requests).hasSize(2);

      held.get(0).complete(done(lambda.requests.get(0)).join());
      results.get(0).join();
      held.get(1).complete(done(lambda.requests.get(1)).join());
      results.get(1).join();

      assertThat(lambda.requests).hasSize(3);
      held.get(2).complete(done(lambda.requests.get(2)).join());
      assertThat(results.get(2).join().task().part()).isEqualTo(2);
    }
  }

  @Test
  void aThrottledTaskIsSentAgainAndCounted() {
    FakeLambda lambda =
        new FakeLambda(
            (number, request) ->
                number < 2 ? FakeLambda.refused(429, "TooManyRequestsException") : done(request));
    try (LambdaInvoker invoker = invoker(lambda, 1, 1 << 20)) {
      assertThat(invoker.invoke(Tasks.request(0)).join().outputRows()).isEqualTo(5);
      assertThat(invoker.counts().throttles()).isEqualTo(2);
      assertThat(invoker.counts().invocations()).isEqualTo(3);
    }
  }

  @Test
  void aReplyThatIsLostIsUnavailable() {
    fails(
        (number, request) -> CompletableFuture.failedFuture(SdkClientException.create("reset")),
        ErrorCode.FUNCTION_UNAVAILABLE);
    fails(
        (number, request) -> FakeLambda.refused(500, "ServiceException"),
        ErrorCode.FUNCTION_UNAVAILABLE);
  }

  @Test
  void aFunctionThatDoesNotExistIsAMistakeInTheDeployment() {
    fails(
        (number, request) -> FakeLambda.refused(404, "ResourceNotFoundException"),
        ErrorCode.INVALID_OPTION);
  }

  @Test
  void aFunctionThatDiesIsUnavailableAndOnlyTheKindOfItsDeathIsTold() {
    TidemillException failure =
        fails(
            (number, request) ->
                FakeLambda.functionError(
                    "{\"errorType\":\"Sandbox.Timedout\",\"errorMessage\":\"hunter2\"}"
                        .getBytes(UTF_8)),
            ErrorCode.FUNCTION_UNAVAILABLE);
    assertThat(failure.fields()).containsEntry("error", "Sandbox.Timedout");
    assertThat(failure.getMessage()).doesNotContain("hunter2");
  }

  @Test
  void anErrorOfTheTaskComesBackAsItWas() {
    TidemillException thrown =
        new TidemillException(ErrorCode.MALFORMED_RECORD, "A record is malformed.")
            .with("offset", 12);
    TidemillException failure =
        fails(
            (number, request) ->
                FakeLambda.answer(Json.bytes(TaskAnswer.failed(Failure.of(thrown, text -> text)))),
            ErrorCode.MALFORMED_RECORD);
    assertThat(failure.text()).isEqualTo("A record is malformed.");
    assertThat(failure.fields()).containsEntry("offset", "12");
  }

  private TidemillException fails(
      java.util.function.BiFunction<Integer, InvokeRequest, CompletableFuture<InvokeResponse>>
          answers,
      ErrorCode code) {
    try (LambdaInvoker invoker = invoker(new FakeLambda(answers), 1, 1 << 20)) {
      CompletableFuture<TaskResult> result = invoker.invoke(Tasks.request(0));
      assertThatThrownBy(result::join).isInstanceOf(CompletionException.class);
      TidemillException failure = (TidemillException) result.handle((r, e) -> e).join();
      assertThat(failure.code()).isEqualTo(code);
      return failure;
    }
  }

  @Test
  void aRequestTooLargeForAPayloadIsStored() {
    FakeLambda lambda =
        new FakeLambda(
            (number, request) -> {
              TaskEvent.StoredRequest stored = event(request).stored().orElseThrow();
              TaskRequest task = Json.read(blob.get(stored.key()).orElseThrow(), TaskRequest.class);
              return FakeLambda.answer(Json.bytes(TaskAnswer.of(Tasks.result(task))));
            });
    try (LambdaInvoker invoker = invoker(lambda, 1, 100)) {
      assertThat(invoker.invoke(Tasks.request(4)).join().task().part()).isEqualTo(4);
      assertThat(invoker.counts().storedRequests()).isEqualTo(1);
      assertThat(blob.list("shuffle/0/0000000003/", "", 10)).hasSize(1);
    }
  }

  @Test
  void aRequestOfWhichIsNotKnownWhetherItWasStoredIsStoredAgain() {
    Deque<Fault> faults = new ArrayDeque<>(List.of(Fault.LOST_REQUEST));
    try (LambdaInvoker invoker = storing(faults)) {
      assertThat(invoker.invoke(Tasks.request(4)).join().task().part()).isEqualTo(4);
      assertThat(blob.list("shuffle/", "", 10)).hasSize(1);
    }
  }

  @Test
  void aRequestThatCannotBeStoredFailsItsTaskAndNotTheCaller() {
    Deque<Fault> faults = new ArrayDeque<>(List.of(Fault.REFUSED));
    try (LambdaInvoker invoker = storing(faults)) {
      assertThat(invoker.invoke(Tasks.request(4)).handle((r, e) -> e).join())
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
      assertThat(invoker.invoke(Tasks.request(5)).join().task().part()).isEqualTo(5);
    }
  }

  /** An invoker that stores all requests, in storage that fails as often as there are faults. */
  private LambdaInvoker storing(Deque<Fault> faults) {
    FakeLambda lambda =
        new FakeLambda(
            (number, request) -> {
              String key = event(request).stored().orElseThrow().key();
              TaskRequest task = Json.read(blob.get(key).orElseThrow(), TaskRequest.class);
              return FakeLambda.answer(Json.bytes(TaskAnswer.of(Tasks.result(task))));
            });
    FaultyBlob failing = new FaultyBlob(blob, FaultSource.inTurn(faults));
    return invoker(lambda, 1, 100, failing);
  }

  @Test
  void aResultTooLargeForAnAnswerIsReadFromItsRecord() {
    TaskRequest request = Tasks.request(0);
    var unused = new TaskRecords(blob).record(Tasks.result(request));
    FakeLambda lambda =
        new FakeLambda((number, r) -> FakeLambda.answer(Json.bytes(TaskAnswer.RECORDED)));
    try (LambdaInvoker invoker = invoker(lambda, 1, 1 << 20)) {
      assertThat(invoker.invoke(request).join()).isEqualTo(Tasks.result(request));
    }
  }
}

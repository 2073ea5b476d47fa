package io.tidemill.lambda.invoke;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.checkpoint.TaskRecords;
import io.tidemill.lambda.message.TaskAnswer;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.aws.Retries;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.lambda.model.InvokeResponse;

/** Makes results and errors of what Lambda answers. */
final class Answers {
  private final String function;
  private final TaskRecords records;

  Answers(String function, TaskRecords records) {
    this.function = function;
    this.records = records;
  }

  /** The task's result; the function's own error, or {@code FUNCTION_UNAVAILABLE}. */
  TaskResult result(TaskRequest request, InvokeResponse response) {
    if (response.functionError() != null) {
      throw unavailable(
              request,
              "The batch function ended before its task was done. If that repeats, give it more"
                  + " memory or time, or make batches smaller.",
              null)
          .with("error", errorType(response));
    }
    TaskAnswer answer = Json.read(response.payload().asByteArrayUnsafe(), TaskAnswer.class);
    if (answer.failure().isPresent()) {
      throw answer.failure().get().toException().with("task", request.task().path());
    }
    if (answer.result().isPresent()) {
      return answer.result().get();
    }
    return records
        .read(request.task())
        .orElseThrow(
            () -> unavailable(request, "A task said that it is recorded, and is not.", null));
  }

  /** Only the type: the message may hold what the function was working on. */
  private static String errorType(InvokeResponse response) {
    byte[] payload = response.payload().asByteArrayUnsafe();
    if (payload.length == 0 || payload[0] != '{') {
      return response.functionError();
    }
    return Json.read(payload, JsonNode.class).path("errorType").asText(response.functionError());
  }

  /** Whether the invocation was refused because there are too many. */
  static boolean isThrottled(Throwable failure) {
    return cause(failure) instanceof SdkException e && Retries.isThrottled(e);
  }

  TidemillException failure(TaskRequest request, Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof SdkException e && Retries.isRefused(e)) {
      return new TidemillException(
              ErrorCode.INVALID_OPTION,
              "Lambda does not take the invocation of the batch function. Check its name and the"
                  + " orchestrator's role.",
              cause)
          .with("function", function)
          .with("task", request.task().path());
    }
    return unavailable(request, "The batch function's reply did not come.", cause);
  }

  TidemillException throttledTooLong(TaskRequest request, int throttles) {
    return unavailable(
            request,
            "Lambda has not taken a task for too long. Raise the function's concurrency, or lower"
                + " the query's.",
            null)
        .with("throttles", throttles);
  }

  private TidemillException unavailable(TaskRequest request, String text, Throwable cause) {
    return new TidemillException(ErrorCode.FUNCTION_UNAVAILABLE, text, cause)
        .with("function", function)
        .with("task", request.task().path());
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}

package io.tidemill.lambda.message;

import io.tidemill.protocol.task.TaskResult;
import java.util.Optional;

/**
 * What the batch function answers: one of the three.
 *
 * @param result of the task
 * @param recorded true if the result is too large for a payload and stands in the task's record
 * @param failure why there is none
 */
public record TaskAnswer(Optional<TaskResult> result, boolean recorded, Optional<Failure> failure) {
  /** The result stands in the task's record. */
  public static final TaskAnswer RECORDED =
      new TaskAnswer(Optional.empty(), true, Optional.empty());

  public static TaskAnswer of(TaskResult result) {
    return new TaskAnswer(Optional.of(result), false, Optional.empty());
  }

  public static TaskAnswer failed(Failure failure) {
    return new TaskAnswer(Optional.empty(), false, Optional.of(failure));
  }
}

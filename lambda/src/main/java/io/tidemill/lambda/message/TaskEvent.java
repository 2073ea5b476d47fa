package io.tidemill.lambda.message;

import io.tidemill.protocol.task.TaskRequest;
import java.util.Optional;

/**
 * Asks the batch function to run a task.
 *
 * @param request the task, unless it is too large for a payload
 * @param stored where it is otherwise
 */
public record TaskEvent(
    JobReference job, Optional<TaskRequest> request, Optional<StoredRequest> stored) {
  public TaskEvent {
    if (request.isPresent() == stored.isPresent()) {
      throw new IllegalArgumentException("a task is in the event or stored");
    }
  }

  /**
   * A request that is an object of the query's checkpoint.
   *
   * @param checkpoint location of the checkpoint
   * @param key of the object, which is a {@link TaskRequest}
   */
  public record StoredRequest(String checkpoint, String key) {}

  public static TaskEvent of(JobReference job, TaskRequest request) {
    return new TaskEvent(job, Optional.of(request), Optional.empty());
  }

  public static TaskEvent stored(JobReference job, String checkpoint, String key) {
    return new TaskEvent(job, Optional.empty(), Optional.of(new StoredRequest(checkpoint, key)));
  }
}

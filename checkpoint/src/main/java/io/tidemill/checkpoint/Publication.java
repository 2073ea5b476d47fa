package io.tidemill.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.task.TaskId;
import java.util.List;

/**
 * What a committed batch has to show in its sinks.
 *
 * @param outputs what tasks staged, in the order of stages and parts
 */
public record Publication(List<Output> outputs) {
  public Publication {
    outputs = List.copyOf(outputs);
  }

  /**
   * What one task staged for one sink.
   *
   * @param sink index in the plan's sinks
   */
  public record Output(TaskId task, int sink, JsonNode output) {}
}

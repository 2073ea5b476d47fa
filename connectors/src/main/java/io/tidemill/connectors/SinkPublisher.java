package io.tidemill.connectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.task.TaskId;
import java.util.List;

/**
 * The orchestrator's side of a sink: makes a committed batch visible. Called after the commit, and
 * again after a crash until the next batch commits, so it must be idempotent as the sink's
 * guarantee says. Used by one thread.
 */
public interface SinkPublisher extends AutoCloseable {
  /** Makes the batch visible; a batch that already is stays as it is. */
  void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs);

  @Override
  void close();

  /** What one task staged. */
  record Staged(TaskId task, JsonNode output) {}
}

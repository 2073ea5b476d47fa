package io.tidemill.connectors;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.task.TaskId;
import java.nio.file.Path;
import java.util.Optional;
import org.duckdb.DuckDBConnection;

/**
 * The function's side of a sink: puts a task's rows where the publisher finds them, under names
 * that carry the attempt, visible to no reader of the target. Used by one thread.
 */
public interface SinkWriter extends AutoCloseable {
  /**
   * Stages the rows of a table.
   *
   * @param scratch an empty local directory that DuckDB may write to
   * @return what to publish, or empty if the table has no rows
   */
  Optional<JsonNode> write(
      DuckDBConnection db,
      String table,
      TaskId task,
      AttemptId attempt,
      OutputMode mode,
      Path scratch);

  @Override
  void close();
}

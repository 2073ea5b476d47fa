package io.tidemill.connectors.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Writes and publishes batches of one sink as a function and an orchestrator would. */
public final class SinkHarness implements AutoCloseable {
  public final Blob checkpoint;
  private final SinkConnector connector;
  private final Options options;
  private final Schema rows;
  private final SinkContext context;
  private final Path scratch;
  private final ScratchDatabase db;
  private final SinkWriter writer;
  private int writes;

  public SinkHarness(
      Path temp, SinkConnector connector, Schema rows, Map<String, String> options, String query) {
    this.connector = connector;
    this.options = Options.of("sink s", options);
    connector.validate(this.options, rows);
    this.rows = rows;
    this.checkpoint = Folder.blob(temp.resolve("checkpoint"));
    this.context = new SinkContext(new QueryId(query), "q", checkpoint);
    try {
      this.scratch = Files.createDirectories(temp.resolve("scratch"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.db = new ScratchDatabase(scratch);
    this.writer = connector.writer(this.options, rows, context);
  }

  public ScratchDatabase db() {
    return db;
  }

  public SinkPublisher publisher() {
    return connector.publisher(options, rows, context);
  }

  public static TaskId task(long batch, int part) {
    return new TaskId(Timeline.FIRST, new BatchId(batch), 1, part);
  }

  /** Stages the rows of a SELECT as one attempt of a task. */
  public Optional<JsonNode> write(String select, TaskId task, String attempt) {
    db.create("out", rows);
    db.execute("INSERT INTO out " + select);
    try {
      Path fresh = Files.createDirectories(scratch.resolve("w" + writes++));
      return writer.write(
          db.connection(), "out", task, new AttemptId(attempt), OutputMode.APPEND, fresh);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public SinkPublisher.Staged staged(String select, long batch, int part, String attempt) {
    TaskId task = task(batch, part);
    return new SinkPublisher.Staged(task, write(select, task, attempt).orElseThrow());
  }

  @Override
  public void close() {
    writer.close();
    db.close();
  }
}

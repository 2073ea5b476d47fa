package io.tidemill.connectors.kafka;

import io.tidemill.connectors.staged.Leftovers;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Checksum;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * Staged rows in the checkpoint, {@code sink/<name>/<task path>-<attempt>.parquet}: read when their
 * batch is published, removed when a later one is. Used by one thread.
 */
final class RowFiles implements AutoCloseable {
  private final Blob checkpoint;
  private final Leftovers leftovers;
  private final Map<String, BatchMarker> published = new HashMap<>();
  private Connection database;

  RowFiles(Blob checkpoint, String sink) {
    this.checkpoint = checkpoint;
    this.leftovers = new Leftovers(checkpoint, prefix(sink));
  }

  private static String prefix(String sink) {
    return "sink/" + sink + "/";
  }

  static String key(String sink, TaskId task, AttemptId attempt) {
    return prefix(sink) + task.path() + "-" + attempt + ".parquet";
  }

  /** Gives all rows of an output in order. */
  void read(StagedOutput output, Consumer<StagedRow> rows) {
    if (output.file().isEmpty()) {
      output.inline().forEach(rows);
      return;
    }
    String key = output.file().get();
    Path file =
        checkpoint
            .localFile(key)
            .orElseThrow(() -> corrupt("Staged rows of a committed batch are gone.", key, null));
    String sql = "SELECT * FROM read_parquet(" + Sql.text(file.toString()) + ")";
    try {
      if (Checksum.of(file) != output.checksum()) {
        throw corrupt("Staged rows of a committed batch are not what was written.", key, null);
      }
      try (Statement statement = database().createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          rows.accept(StagedRow.of(row));
        }
      }
    } catch (IOException | SQLException e) {
      throw corrupt("Staged rows of a committed batch cannot be read.", key, e);
    }
  }

  private static TidemillException corrupt(String message, String key, Exception cause) {
    return new TidemillException(ErrorCode.CHECKPOINT_CORRUPT, message, cause).with("key", key);
  }

  private Connection database() throws SQLException {
    if (database == null) {
      Properties properties = new Properties();
      properties.setProperty("jdbc_stream_results", "true");
      properties.setProperty("threads", "1");
      database = DriverManager.getConnection("jdbc:duckdb:", properties);
    }
    return database;
  }

  /**
   * Removes what earlier batches staged. The files of the batch itself stay: it is published again
   * after a crash.
   */
  void published(BatchMarker batch, List<StagedOutput> outputs) {
    published
        .entrySet()
        .removeIf(
            file -> {
              boolean old = file.getValue().compareTo(batch) < 0;
              if (old) {
                checkpoint.delete(file.getKey());
              }
              return old;
            });
    outputs.forEach(output -> output.file().ifPresent(key -> published.put(key, batch)));
    if (batch.batch().value() > 0) {
      // Of runs before this one, and of attempts that lost against another.
      leftovers.published(batch.timeline(), new BatchId(batch.batch().value() - 1));
    }
  }

  @Override
  public void close() {
    if (database != null) {
      try {
        database.close();
      } catch (SQLException e) {
        throw new TidemillException(
            ErrorCode.INTERNAL, "The reader of staged rows did not close.", e);
      }
    }
  }
}

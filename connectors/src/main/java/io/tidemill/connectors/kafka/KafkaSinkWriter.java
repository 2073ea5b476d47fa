package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.Settled;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.duckdb.DuckDBConnection;

/** Stages a task's rows: few of them in the task's result, many as Parquet in the checkpoint. */
final class KafkaSinkWriter implements SinkWriter {
  /** Outputs up to this size travel in the task's result. */
  private static final int INLINE_BYTES_MAX = 24 << 10;

  private static final int INLINE_ROWS_MAX = 1_000;

  private final SinkSettings settings;
  private final Schema rows;
  private final SinkContext context;

  KafkaSinkWriter(SinkSettings settings, Schema rows, SinkContext context) {
    this.settings = settings;
    this.rows = rows;
    this.context = context;
  }

  @Override
  public Optional<JsonNode> write(
      DuckDBConnection db,
      String table,
      TaskId task,
      AttemptId attempt,
      OutputMode mode,
      Path scratch) {
    String select = StagedRow.select(rows, table, settings.topic().isEmpty());
    try (Statement statement = db.createStatement()) {
      long count = check(statement, table);
      if (count == 0) {
        return Optional.empty();
      }
      if (count <= INLINE_ROWS_MAX && bytes(statement, select) <= INLINE_BYTES_MAX) {
        return Optional.of(Json.tree(StagedOutput.inline(rows(statement, select))));
      }
      return Optional.of(Json.tree(file(statement, select, count, task, attempt, scratch)));
    } catch (SQLException e) {
      throw new TidemillException(
              ErrorCode.INTERNAL, "The rows for a Kafka sink could not be staged.", e)
          .with("sink", settings.name());
    }
  }

  /** The number of rows; an error if one of them can go nowhere. */
  private long check(Statement statement, String table) throws SQLException {
    String noTopic = settings.topic().isPresent() ? "false" : "topic IS NULL";
    String noPartition = rows.find("partition").isPresent() ? "\"partition\" < 0" : "false";
    String sql =
        "SELECT count(*), count(*) FILTER (%s), count(*) FILTER (%s) FROM %s"
            .formatted(noTopic, noPartition, Sql.name(table));
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      refuse(
          row.getLong(2),
          "A row for the Kafka sink has a null topic: filter such rows out, or"
              + " set the sink's option 'topic'.");
      refuse(
          row.getLong(3),
          "A row for the Kafka sink has a negative partition: use null to leave"
              + " the choice to Kafka.");
      return row.getLong(1);
    }
  }

  private void refuse(long wrongRows, String message) {
    if (wrongRows > 0) {
      throw new TidemillException(ErrorCode.QUERY_FAILED, message)
          .with("sink", settings.name())
          .with("rows", wrongRows);
    }
  }

  private static long bytes(Statement statement, String select) throws SQLException {
    String sql =
        "SELECT coalesce(sum(coalesce(octet_length(\"key\"), 0) + coalesce(octet_length(\"value\"),"
            + " 0) + coalesce(strlen(headers), 0)), 0) FROM ("
            + select
            + ")";
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static List<StagedRow> rows(Statement statement, String select) throws SQLException {
    List<StagedRow> staged = new ArrayList<>();
    try (ResultSet row = statement.executeQuery(select)) {
      while (row.next()) {
        staged.add(StagedRow.of(row));
      }
    }
    return staged;
  }

  private StagedOutput file(
      Statement statement, String select, long count, TaskId task, AttemptId attempt, Path scratch)
      throws SQLException {
    Path file = scratch.resolve("kafka-sink.parquet");
    statement.execute(
        "COPY (" + select + ") TO " + Sql.text(file.toString()) + " (FORMAT parquet)");
    try {
      long checksum = Checksum.of(file);
      String key = RowFiles.key(settings.name(), task, attempt);
      if (!Settled.putFileIfAbsent(context.checkpoint(), key, file, checksum)) {
        throw new TidemillException(
                ErrorCode.INTERNAL, "Another object has the name of this attempt's rows.")
            .with("key", key);
      }
      return StagedOutput.file(key, count, checksum);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "Rows just staged cannot be read back.", e)
          .with("file", file);
    }
  }

  @Override
  public void close() {
    // Nothing is kept open between tasks.
  }
}

package io.tidemill.connectors.staged;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/**
 * The function's side of sinks that publish centrally: rows as Parquet, within the task's output if
 * they are few, else in the checkpoint under {@code sink/<name>/<task>-<attempt>.parquet}.
 */
public final class StagedWriter implements SinkWriter {
  /** Parquet files up to this size travel within the task's output. */
  public static final int INLINE_BYTES_MAX = 8 << 10;

  private final Blob checkpoint;
  private final String prefix;
  private final Schema rows;

  /** The task written last, and how often: a task may write to a sink more than once. */
  private String lastTask = "";

  private int writesOfTask;

  /**
   * @param sink what the sink is called in the job, e.g. {@code sink revenue}
   * @param rows the columns of the tables written
   */
  public StagedWriter(Blob checkpoint, String sink, Schema rows) {
    this.checkpoint = checkpoint;
    this.prefix = prefix(sink);
    this.rows = rows;
  }

  /** Where a sink's staged rows are in the checkpoint. */
  static String prefix(String sink) {
    return "sink/" + sink.replaceAll("[^A-Za-z0-9_-]", "_") + "/";
  }

  @Override
  public Optional<JsonNode> write(
      DuckDBConnection db,
      String table,
      TaskId task,
      AttemptId attempt,
      OutputMode mode,
      Path scratch) {
    long count = count(db, table);
    if (count == 0) {
      return Optional.empty();
    }
    Path file = scratch.resolve("rows.parquet");
    copy(db, table, file);
    String name = task.path() + "-" + attempt;
    writesOfTask = name.equals(lastTask) ? writesOfTask + 1 : 0;
    lastTask = name;
    String number = writesOfTask == 0 ? "" : "-" + writesOfTask;
    return Optional.of(Json.tree(place(file, prefix + name + number, count)));
  }

  private StagedRows place(Path file, String name, long count) {
    try {
      if (Files.size(file) <= INLINE_BYTES_MAX) {
        String text = Base64.getEncoder().encodeToString(Files.readAllBytes(file));
        Files.delete(file);
        return new StagedRows(count, Optional.of(text), Optional.empty());
      }
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE, "Rows for a sink could not be staged.", e);
    }
    String key = name + ".parquet";
    StagedFiles.put(checkpoint, key, file);
    return new StagedRows(count, Optional.empty(), Optional.of(key));
  }

  private void copy(DuckDBConnection db, String table, Path file) {
    String select =
        rows.columns().stream()
            .map(
                c ->
                    "CAST("
                        + Sql.name(c.name())
                        + " AS "
                        + SqlType.parse(c.type()).exactlyStorable().text()
                        + ") AS "
                        + Sql.name(c.name()))
            .collect(Collectors.joining(", "));
    String sql =
        "COPY (SELECT "
            + select
            + " FROM "
            + Sql.name(table)
            + ") TO "
            + Sql.text(file.toString())
            + " (FORMAT parquet)";
    try (Statement statement = db.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new TidemillException(
          ErrorCode.INTERNAL, "Rows for a sink could not be written as Parquet.", e);
    }
  }

  /** Rows of a table. */
  static long count(DuckDBConnection db, String table) {
    try (Statement statement = db.createStatement();
        ResultSet result = statement.executeQuery("SELECT count(*) FROM " + Sql.name(table))) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw new TidemillException(ErrorCode.INTERNAL, "Rows for a sink could not be counted.", e)
          .with("table", table);
    }
  }

  @Override
  public void close() {}
}

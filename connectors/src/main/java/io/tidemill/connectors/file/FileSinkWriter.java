package io.tidemill.connectors.file;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.connectors.staged.StagedFiles;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.duckdb.DuckDBConnection;

/** Writes a task's rows as files and stages them at the target. */
final class FileSinkWriter implements SinkWriter {
  private final FileLayout layout;
  private final FileSinkOptions options;
  private final SinkNames names;
  private final Blob target;

  /** The task written last, and its files so far: a task may write to a sink more than once. */
  private String lastTask = "";

  private int filesOfTask;
  private long writesOfTask;

  FileSinkWriter(FileSinkOptions options, SinkNames names, Blob target) {
    this.layout = new FileLayout(options);
    this.options = options;
    this.names = names;
    this.target = target;
  }

  @Override
  public Optional<JsonNode> write(
      DuckDBConnection db,
      String table,
      TaskId task,
      AttemptId attempt,
      OutputMode mode,
      Path scratch) {
    String thisTask = task.path() + "-" + attempt;
    if (!thisTask.equals(lastTask)) {
      lastTask = thisTask;
      filesOfTask = 0;
      writesOfTask = 0;
    }
    List<FileLayout.LocalFile> written = layout.write(db, table, scratch);
    if (written.isEmpty()) {
      return Optional.empty();
    }
    long numbersBefore = writesOfTask++ * FileLayout.NUMBERS_MAX;
    List<FileSinkOutput.Staged> files = new ArrayList<>();
    for (FileLayout.LocalFile file : written) {
      String key = names.staged(task, attempt, filesOfTask++);
      String name =
          file.directory()
              + names.published(task, numbersBefore + file.number(), options.extension());
      long bytes = sizeOf(file.path());
      StagedFiles.put(target, key, file.path());
      files.add(new FileSinkOutput.Staged(key, name, file.rows(), bytes));
    }
    return Optional.of(Json.tree(new FileSinkOutput(files)));
  }

  private static long sizeOf(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "A file that was written cannot be looked at.", e)
          .with("file", file);
    }
  }

  @Override
  public void close() {
    target.close();
  }
}

package io.tidemill.checkpoint;

import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.storage.Blob;
import java.util.Optional;

/**
 * The one result of each task. Whoever creates the record first decides; every other attempt at the
 * task takes that result for its own. Thread-safe.
 */
public final class TaskRecords {
  private static final String KIND = "task";

  private final Records records;

  public TaskRecords(Records records) {
    this.records = records;
  }

  public TaskRecords(Blob blob) {
    this(Records.in(blob));
  }

  /** The recorded result, or empty if no attempt got that far. */
  public Optional<TaskResult> read(TaskId task) {
    String key = CheckpointKeys.taskRecord(task);
    return records.read(key).map(bytes -> StoredJson.read(KIND, bytes, TaskResult.class, key));
  }

  /**
   * Records a result whose outputs are all complete.
   *
   * @return the result that counts: this one, or that of the attempt that was first
   */
  public TaskResult record(TaskResult mine) {
    String key = CheckpointKeys.taskRecord(mine.task());
    byte[] bytes = StoredJson.write(KIND, mine);
    byte[] there = records.putOrGet(key, bytes);
    return there == bytes ? mine : StoredJson.read(KIND, there, TaskResult.class, key);
  }
}

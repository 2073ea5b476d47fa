package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.task.TaskId;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Keys below a checkpoint. Whatever belongs to a batch lies below {@code
 * <area>/<timeline>/<batch>/}, so that collection knows its age by its name.
 */
public final class CheckpointKeys {
  /** Name of the register. */
  public static final String HEAD = "head";

  static final String HEADS = "heads";
  static final String TASKS = "tasks";
  static final String LAYOUTS = "layouts";
  static final String HISTORY = "history";
  static final String STATE = "state";
  static final String SHUFFLE = "shuffle";
  static final String SINK = "sink";

  private CheckpointKeys() {}

  /** The record of a task. */
  public static String taskRecord(TaskId task) {
    return TASKS + "/" + task.path() + ".json";
  }

  /** How many shards a stage behind a shuffle has. */
  public static String layout(Timeline timeline, BatchId batch, int stage) {
    return String.format(
        Locale.ROOT, "%s/%s/%010d/s%d.json", LAYOUTS, timeline, batch.value(), stage);
  }

  /** Where an attempt at a task writes its shuffle files; ends with a slash. */
  public static String shuffleFolder(TaskId task, AttemptId attempt) {
    return SHUFFLE + "/" + task.path() + "/" + attempt + "/";
  }

  /** Where an attempt at a task writes files of keyed state; ends with a slash. */
  public static String stateFolder(TaskId task, AttemptId attempt) {
    return STATE + "/" + task.path() + "/" + attempt + "/";
  }

  /** Where an attempt at a task stages output for a sink; ends with a slash. */
  public static String sinkFolder(TaskId task, AttemptId attempt) {
    return SINK + "/" + task.path() + "/" + attempt + "/";
  }

  /** Where a source keeps its notes; ends with a slash. */
  public static String sourceFolder(int source) {
    return "sources/" + source + "/";
  }

  static String spilledHead(Timeline timeline, long batch, AttemptId attempt) {
    return String.format(Locale.ROOT, "%s/%s/%010d/%s.json", HEADS, timeline, batch, attempt);
  }

  static String history(Timeline timeline, BatchId from, BatchId to) {
    return String.format(
        Locale.ROOT, "%s/%s/%010d-%010d.json", HISTORY, timeline, from.value(), to.value());
  }

  /** The batch in a key below {@code <area>/<timeline>/}, or empty if the key has another form. */
  static OptionalLong batchOf(String key) {
    String[] parts = key.split("/", 4);
    if (parts.length < 4 || !parts[2].matches("\\d{10,18}")) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(parts[2]));
  }
}

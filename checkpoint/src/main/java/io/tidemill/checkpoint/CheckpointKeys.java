package io.tidemill.checkpoint;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.task.TaskId;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keys below a checkpoint. Whatever belongs to a batch has {@code <timeline>/<batch>/} in its key,
 * so that collection knows its age by its name.
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

  private static final Pattern BATCH = Pattern.compile("(\\d{10,18})(-.*)?");

  private CheckpointKeys() {}

  /** The record of a task. Without a folder of its own, which a disk would have to be told of. */
  public static String taskRecord(TaskId task) {
    String timeline = task.timeline() + "/";
    String inTimeline = task.path().substring(timeline.length()).replace('/', '-');
    return TASKS + "/" + timeline + inTimeline + ".json";
  }

  /** How many shards a stage behind a shuffle has. */
  public static String layout(Timeline timeline, BatchId batch, int stage) {
    return String.format(
        Locale.ROOT, "%s/%s/%010d/s%d.json", LAYOUTS, timeline, batch.value(), stage);
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

  /**
   * The batch that a key belongs to: what follows the timeline in it, as in {@code
   * state/2/0/0000000012-0-1024-a.parquet}. Empty if the key has no such part.
   */
  static OptionalLong batchOf(String key, Timeline timeline) {
    String[] parts = key.split("/", -1);
    for (int i = 1; i + 1 < parts.length; i++) {
      Matcher batch = BATCH.matcher(parts[i + 1]);
      if (parts[i].equals(timeline.toString()) && batch.matches()) {
        return OptionalLong.of(Long.parseLong(batch.group(1)));
      }
    }
    return OptionalLong.empty();
  }
}

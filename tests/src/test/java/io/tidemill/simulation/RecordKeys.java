package io.tidemill.simulation;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Blob;
import java.util.List;
import java.util.Locale;

/** Reads task ids from the keys of their records. */
final class RecordKeys {
  private static final int TASKS_MAX = 10_000;

  private RecordKeys() {}

  /** All recorded tasks of a batch. */
  static List<TaskId> tasks(Blob blob, long batch) {
    String prefix = String.format(Locale.ROOT, "tasks/%s/%010d-", Timeline.FIRST, batch);
    return blob.list(prefix, "", TASKS_MAX).stream()
        .map(key -> task(batch, key.substring(prefix.length())))
        .toList();
  }

  private static TaskId task(long batch, String stageAndPart) {
    int dash = stageAndPart.indexOf('-');
    String stage = stageAndPart.substring(0, dash);
    int part =
        Integer.parseInt(
            stageAndPart.substring(dash + 2, stageAndPart.length() - ".json".length()));
    return new TaskId(
        Timeline.FIRST,
        new BatchId(batch),
        stage.equals("all") ? TaskId.WHOLE_BATCH : Integer.parseInt(stage.substring(1)),
        part);
  }
}

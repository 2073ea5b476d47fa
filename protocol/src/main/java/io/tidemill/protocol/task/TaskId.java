package io.tidemill.protocol.task;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import java.util.Locale;

/**
 * Names a task for ever: the same id on a replay does the same work.
 *
 * @param stage stage id, or {@link #WHOLE_BATCH}
 * @param part number of the split group or shard within the stage
 */
public record TaskId(Timeline timeline, BatchId batch, int stage, int part) {
  /** Stage of a task that runs all stages of a small batch by itself. */
  public static final int WHOLE_BATCH = -1;

  /** A text that sorts like the id, e.g. {@code 0/0000000012/s1/p3}. */
  public String path() {
    String stageText = stage == WHOLE_BATCH ? "all" : "s" + stage;
    return String.format(Locale.ROOT, "%s/%010d/%s/p%d", timeline, batch.value(), stageText, part);
  }
}

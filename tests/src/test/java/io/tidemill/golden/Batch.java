package io.tidemill.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What one batch did.
 *
 * @param watermark that it evicted by, or "none"
 * @param output rows that it emitted, sorted
 * @param lateRows rows that it dropped as late
 * @param lateGroups the same as Spark counts them: behind the partial aggregation
 */
record Batch(
    long id,
    long inputRows,
    String watermark,
    List<String> output,
    long stateRows,
    long lateRows,
    long lateGroups) {
  Batch {
    output = output.stream().sorted().toList();
  }

  /**
   * Reads the progress of a batch.
   *
   * @throws IllegalArgumentException if it tells of another number of rows than came out
   */
  static Batch of(JsonNode progress, List<String> output) {
    if (progress.at("/sink/numOutputRows").asLong() != output.size()) {
      throw new IllegalArgumentException("The rows are " + output + ", but " + progress);
    }
    long state = 0;
    long late = 0;
    long groups = 0;
    for (JsonNode operator : progress.path("stateOperators")) {
      state += operator.path("numRowsTotal").asLong();
      late += operator.path("numRowsDroppedByWatermark").asLong();
      groups += operator.path("customMetrics").path("numGroupsDroppedByWatermark").asLong();
    }
    return new Batch(
        progress.path("batchId").asLong(),
        progress.path("numInputRows").asLong(),
        Times.shortened(progress.at("/eventTime/watermark").asText("none")),
        output,
        state,
        late,
        groups);
  }

  /** As it stands in a trace. */
  @Override
  public String toString() {
    String dropped =
        lateRows == 0 && lateGroups == 0 ? "" : ", late " + lateRows + " in " + lateGroups;
    return "batch %d: %d rows, watermark %s, state %d%s -> %s"
        .formatted(
            id,
            inputRows,
            watermark,
            stateRows,
            dropped,
            output.isEmpty() ? "nothing" : String.join("; ", output));
  }
}

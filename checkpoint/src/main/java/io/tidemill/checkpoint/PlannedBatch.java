package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Watermark;
import java.util.List;

/**
 * A batch as it will be run, now or by any later run.
 *
 * @param data false if it runs only because the watermark moved
 * @param sources what it reads, one entry per source of the plan
 * @param late rows at or before it are late
 * @param eviction state at or before it is evicted
 * @param timestampMillis what now() is in it
 * @param seed where random() starts in it
 */
public record PlannedBatch(
    BatchId batch,
    boolean data,
    List<PlannedSource> sources,
    Watermark late,
    Watermark eviction,
    long timestampMillis,
    long seed,
    BatchLayout layout) {
  public PlannedBatch {
    sources = List.copyOf(sources);
  }
}

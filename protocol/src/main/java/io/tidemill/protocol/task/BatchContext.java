package io.tidemill.protocol.task;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;

/**
 * What every task of a batch shares, fixed when the batch was planned.
 *
 * @param timestampMillis what now() is in this batch
 * @param seed where random() and uuid() start in this batch
 * @param late rows at or before it are late (the eviction watermark of the batch before)
 * @param eviction state at or before it is evicted
 */
public record BatchContext(
    QueryId query,
    Timeline timeline,
    Epoch epoch,
    BatchId batch,
    long timestampMillis,
    long seed,
    Watermark late,
    Watermark eviction) {}

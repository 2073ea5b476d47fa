package io.tidemill.connectors.rate;

import io.tidemill.connectors.Source;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans batches of always the same number of rows. There is always one more. */
final class RateMicroBatchSource implements Source {
  private final long rowsPerBatch;
  private final int partitions;
  private final long startTimestamp;
  private final long advanceMillisPerBatch;

  RateMicroBatchSource(
      long rowsPerBatch, int partitions, long startTimestamp, long advanceMillisPerBatch) {
    this.rowsPerBatch = rowsPerBatch;
    this.partitions = partitions;
    this.startTimestamp = startTimestamp;
    this.advanceMillisPerBatch = advanceMillisPerBatch;
  }

  /**
   * @param offset rows so far
   * @param timestamp time of the next batch's rows, milliseconds since the epoch
   */
  record Position(long offset, long timestamp) {
    static Position of(SourcePosition position) {
      return Json.read(position.json().toString(), Position.class);
    }

    SourcePosition position() {
      return new SourcePosition(Json.tree(this));
    }
  }

  /** A share of a batch's rows. */
  record Split(long from, long to, int part, int parts, long timestamp) {}

  @Override
  public SourcePosition initial() {
    return new Position(0, startTimestamp).position();
  }

  /** One batch further, so that an available-now run is exactly one batch. */
  @Override
  public SourcePosition latest(SourcePosition known) {
    return next(Position.of(known)).position();
  }

  private Position next(Position from) {
    return new Position(
        Math.addExact(from.offset(), rowsPerBatch),
        Math.addExact(from.timestamp(), advanceMillisPerBatch));
  }

  @Override
  public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    Position start = Position.of(from);
    Position end = next(start);
    if (end.offset() > Position.of(latest).offset()) {
      return new Range(from, List.of(), 0, Optional.empty());
    }
    List<SourceSplit> splits = new ArrayList<>();
    for (int part = 0; part < partitions; part++) {
      Split split = new Split(start.offset(), end.offset(), part, partitions, start.timestamp());
      splits.add(new SourceSplit(Json.tree(split), rowsPerBatch / partitions + 1));
    }
    return new Range(end.position(), splits, rowsPerBatch, Optional.empty());
  }

  @Override
  public String description() {
    return "rate-micro-batch[rowsPerBatch="
        + rowsPerBatch
        + ", numPartitions="
        + partitions
        + ", startTimestamp="
        + startTimestamp
        + ", advanceMillisPerBatch="
        + advanceMillisPerBatch
        + "]";
  }

  @Override
  public void close() {}
}

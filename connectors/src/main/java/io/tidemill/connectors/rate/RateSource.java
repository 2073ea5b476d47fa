package io.tidemill.connectors.rate;

import io.tidemill.connectors.Source;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans rows by the seconds since the query first started. */
final class RateSource implements Source {
  /** Most parts of a batch. */
  static final int PARTITIONS_MAX = 1000;

  private final RateSpeed speed;
  private final int partitions;
  private final InstantSource clock;

  RateSource(RateSpeed speed, int partitions, InstantSource clock) {
    this.speed = speed;
    this.partitions = partitions;
    this.clock = clock;
  }

  /**
   * @param seconds whole seconds since the start
   * @param startMillis when the query first started, milliseconds since the epoch
   */
  record Position(long seconds, long startMillis) {
    static Position of(SourcePosition position) {
      return Json.read(position.json().toString(), Position.class);
    }

    SourcePosition position() {
      return new SourcePosition(Json.tree(this));
    }
  }

  /**
   * A share of the rows of some seconds.
   *
   * @param from first value
   * @param to end, exclusive
   * @param startMillis time of the first value
   * @param lastsMillis time over which the values are spread evenly
   */
  record Split(long from, long to, int part, int parts, long startMillis, long lastsMillis) {}

  @Override
  public SourcePosition initial() {
    return new Position(0, clock.millis()).position();
  }

  @Override
  public SourcePosition latest(SourcePosition known) {
    Position from = Position.of(known);
    long elapsed = Math.floorDiv(clock.millis() - from.startMillis(), 1000L);
    return new Position(Math.max(from.seconds(), elapsed), from.startMillis()).position();
  }

  @Override
  public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    Position start = Position.of(from);
    Position end = Position.of(latest);
    if (end.seconds() <= start.seconds()) {
      return new Range(from, List.of(), 0, Optional.empty());
    }
    long first = speed.rowsAfter(start.seconds());
    long last = speed.rowsAfter(end.seconds());
    List<SourceSplit> splits = new ArrayList<>();
    for (int part = 0; part < partitions && first < last; part++) {
      Split split =
          new Split(
              first,
              last,
              part,
              partitions,
              start.startMillis() + start.seconds() * 1000,
              (end.seconds() - start.seconds()) * 1000);
      splits.add(new SourceSplit(Json.tree(split), (last - first) / partitions + 1));
    }
    return new Range(end.position(), splits, last - first, Optional.empty());
  }

  @Override
  public String description() {
    return "rate[rowsPerSecond="
        + speed.rowsPerSecond()
        + ", rampUpTimeSeconds="
        + speed.rampUpSeconds()
        + ", numPartitions="
        + partitions
        + "]";
  }

  @Override
  public void close() {}
}

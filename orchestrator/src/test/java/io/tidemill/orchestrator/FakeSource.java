package io.tidemill.orchestrator;

import io.tidemill.connectors.Source;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A log of event times in memory. A position is a number of rows; a split a range of them. */
final class FakeSource implements Source {
  final List<Long> eventMillis = new ArrayList<>();
  final List<Long> committed = new ArrayList<>();
  int limit = Integer.MAX_VALUE;
  int rowsPerSplit = Integer.MAX_VALUE;
  long rowsPerEvent = 1;
  int asked;
  boolean broken;
  boolean cannotCleanUp;

  /** Happens while a batch is being planned. */
  Runnable duringPlan = () -> {};

  /** Adds rows, one for each event time. */
  void add(long... millis) {
    for (long m : millis) {
      eventMillis.add(m);
    }
  }

  @Override
  public SourcePosition initial() {
    return position(0);
  }

  @Override
  public SourcePosition latest(SourcePosition known) {
    asked++;
    if (broken) {
      throw new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, "The source is away.");
    }
    return position(eventMillis.size());
  }

  @Override
  public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    duringPlan.run();
    long start = rows(from);
    long end = Math.min(rows(latest), limits ? start + limit : Long.MAX_VALUE);
    List<SourceSplit> splits = new ArrayList<>();
    for (long at = start; at < end; at += Math.min(rowsPerSplit, end - at)) {
      long to = Math.min(end, at + rowsPerSplit);
      splits.add(
          new SourceSplit(Json.tree(Map.of("from", at, "to", to)), (to - at) * rowsPerEvent));
    }
    return new Range(position(end), splits, (end - start) * rowsPerEvent, Optional.empty());
  }

  @Override
  public void committed(SourcePosition end) {
    if (cannotCleanUp) {
      throw new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, "Nothing can be deleted.");
    }
    committed.add(rows(end));
  }

  @Override
  public String description() {
    return "fake";
  }

  @Override
  public void close() {}

  static SourcePosition position(long rows) {
    return new SourcePosition(Json.tree(Map.of("rows", rows)));
  }

  private static long rows(SourcePosition position) {
    return position.json().get("rows").asLong();
  }
}

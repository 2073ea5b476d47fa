package io.tidemill.simulation;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.TreeMap;

/** A partitioned log in memory. A position holds a number of rows for each partition. */
final class SimulatedSource implements Source {
  /** Rows of one partition in one batch. */
  private static final int BATCH_ROWS_MAX = 4;

  private final List<List<Row>> partitions = new ArrayList<>();
  private final Chance chance;

  SimulatedSource(int partitions, Chance chance) {
    this.chance = chance;
    for (int i = 0; i < partitions; i++) {
      this.partitions.add(new ArrayList<>());
    }
  }

  /** A split's range. */
  record Range(int partition, int from, int to) {}

  void add(int partition, Row row) {
    partitions.get(partition).add(row);
  }

  int partitionCount() {
    return partitions.size();
  }

  long rowCount() {
    return partitions.stream().mapToLong(List::size).sum();
  }

  List<Row> rows(Range range) {
    return partitions.get(range.partition()).subList(range.from(), range.to());
  }

  static Range range(JsonNode json) {
    return Json.read(json.toString(), Range.class);
  }

  /** The ranges between two positions. */
  List<Range> between(SourcePosition start, SourcePosition end) {
    List<Range> ranges = new ArrayList<>();
    for (int p = 0; p < partitions.size(); p++) {
      if (at(start, p) < at(end, p)) {
        ranges.add(new Range(p, at(start, p), at(end, p)));
      }
    }
    return ranges;
  }

  @Override
  public SourcePosition initial() {
    return position(partitions.stream().map(p -> 0).toList());
  }

  @Override
  public SourcePosition latest(SourcePosition known) {
    if (!chance.isCalm() && chance.oneIn(50)) {
      throw new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, "The source was made to fail.");
    }
    return position(partitions.stream().map(List::size).toList());
  }

  @Override
  public Source.Range plan(
      SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    List<Integer> ends = new ArrayList<>();
    List<SourceSplit> splits = new ArrayList<>();
    for (int p = 0; p < partitions.size(); p++) {
      int end = Math.min(at(latest, p), at(from, p) + BATCH_ROWS_MAX);
      ends.add(end);
      if (end > at(from, p)) {
        Range range = new Range(p, at(from, p), end);
        splits.add(new SourceSplit(Json.tree(range), end - at(from, p)));
      }
    }
    long rows = splits.stream().mapToLong(SourceSplit::estimatedRows).sum();
    return new Source.Range(position(ends), splits, rows, Optional.empty());
  }

  @Override
  public String description() {
    return "simulated";
  }

  @Override
  public void close() {}

  private static SourcePosition position(List<Integer> rows) {
    Map<String, Integer> position = new TreeMap<>();
    for (int p = 0; p < rows.size(); p++) {
      position.put(Integer.toString(p), rows.get(p));
    }
    return new SourcePosition(Json.tree(position));
  }

  private static int at(SourcePosition position, int partition) {
    return position.json().get(Integer.toString(partition)).asInt();
  }
}

package io.tidemill.connectors.memory;

import io.tidemill.connectors.Source;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans one added batch of rows as one batch; all that are there if limits do not count. */
final class MemorySource implements Source {
  private final String name;
  private final MemoryStream stream;

  MemorySource(String name, MemoryStream stream) {
    this.name = name;
    this.stream = stream;
  }

  /**
   * @param adds how many added batches have been read
   */
  record Position(int adds) {
    static Position of(SourcePosition position) {
      return Json.read(position.json().toString(), Position.class);
    }

    SourcePosition position() {
      return new SourcePosition(Json.tree(this));
    }
  }

  /** One added batch. */
  record Split(int add) {}

  @Override
  public SourcePosition initial() {
    return new Position(0).position();
  }

  @Override
  public SourcePosition latest(SourcePosition known) {
    int seen = Position.of(known).adds();
    if (stream.size() < seen) {
      throw new TidemillException(
              ErrorCode.DATA_LOSS,
              "A memory stream lacks rows that the query has read: it was filled in another"
                  + " process. Start from a new checkpoint.")
          .with("stream", name)
          .with("adds", stream.size())
          .with("read", seen);
    }
    return new Position(stream.size()).position();
  }

  @Override
  public Range plan(SourcePosition from, SourcePosition latest, boolean limits, long nowMillis) {
    int start = Position.of(from).adds();
    int available = Position.of(latest).adds();
    int end = limits ? Math.min(start + 1, available) : Math.max(start, available);
    List<SourceSplit> splits = new ArrayList<>();
    long rows = 0;
    for (int add = start; add < end; add++) {
      int count = stream.rows(add).size();
      if (count > 0) {
        splits.add(new SourceSplit(Json.tree(new Split(add)), count));
      }
      rows += count;
    }
    return new Range(new Position(end).position(), splits, rows, Optional.empty());
  }

  @Override
  public String description() {
    return "memory[" + name + "]";
  }

  @Override
  public void close() {}
}

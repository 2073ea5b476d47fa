package io.tidemill.checkpoint;

import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.protocol.source.SourceSplit;
import java.util.List;

/**
 * What a batch reads of one source.
 *
 * @param splits the parts of the range, in a stable order; empty if there is nothing to read
 */
public record PlannedSource(
    SourcePosition start, SourcePosition end, List<SourceSplit> splits, long rowsEstimate) {
  public PlannedSource {
    splits = List.copyOf(splits);
  }

  /** A source that has nothing new. */
  public static PlannedSource nothing(SourcePosition position) {
    return new PlannedSource(position, position, List.of(), 0);
  }
}

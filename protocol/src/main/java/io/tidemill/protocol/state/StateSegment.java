package io.tidemill.protocol.state;

import io.tidemill.protocol.Buckets;
import java.util.List;

/**
 * The files to read, in order, for a range of buckets.
 *
 * @param rows state rows of the segment after the last file, or an estimate after a split
 */
public record StateSegment(Buckets buckets, List<StateFile> files, long rows) {
  public StateSegment {
    files = List.copyOf(files);
  }
}

package io.tidemill.checkpoint;

import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Register;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A checkpoint as people look at it. Reads only.
 *
 * @param version how often the head was written
 * @param history all batches, oldest first
 * @param state one entry per stateful operator
 */
public record CheckpointView(
    long version, Head head, List<HistoryEntry> history, List<OperatorState> state) {

  /**
   * The state of one operator after the last committed batch.
   *
   * @param stage stage id
   * @param files files read
   * @param bases how many of them hold all rows of their buckets
   * @param bytes size of the files
   * @param obsoleteFiles files kept for older versions only
   */
  public record OperatorState(
      int stage, long rows, int segments, long files, long bases, long bytes, int obsoleteFiles) {}

  /** Reads a checkpoint, or gives empty if there is none. */
  public static Optional<CheckpointView> read(Blob blob, Register register) {
    return new HeadStore(blob, register)
        .read()
        .map(
            stored ->
                new CheckpointView(
                    stored.version(),
                    stored.head(),
                    new History(blob).read(stored.head()),
                    stored.head().committed().state().entrySet().stream()
                        .map(e -> operator(e.getKey(), e.getValue()))
                        .toList()));
  }

  private static OperatorState operator(int stage, StateVersion version) {
    Map<String, StateFile> files = new HashMap<>();
    version.segments().forEach(s -> s.files().forEach(f -> files.put(f.key(), f)));
    return new OperatorState(
        stage,
        version.rows(),
        version.segments().size(),
        files.size(),
        files.values().stream().filter(StateFile::base).count(),
        version.bytes(),
        version.obsolete().size());
  }
}

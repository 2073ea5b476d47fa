package io.tidemill.connectors.file;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import java.util.List;
import java.util.Locale;

/**
 * What a file sink published in a batch. Written after the files are in place, once and for ever.
 */
record Manifest(QueryId query, Timeline timeline, BatchId batch, List<Entry> files) {
  /** Where manifests are, below the target. */
  static final String DIRECTORY = "_tidemill/manifest";

  Manifest {
    files = List.copyOf(files);
  }

  /**
   * A published file.
   *
   * @param name path below the target
   */
  record Entry(String name, long rows, long bytes) {}

  /** The key of the manifest; keys of a timeline sort by batch. */
  String key(String writer) {
    return String.format(
        Locale.ROOT, "%s/%s-%010d-%s.json", DIRECTORY, timeline, batch.value(), writer);
  }
}

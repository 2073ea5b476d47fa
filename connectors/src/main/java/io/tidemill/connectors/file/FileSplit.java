package io.tidemill.connectors.file;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.source.SourceSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Files that one task reads together, in order. */
record FileSplit(List<Part> files) {
  /** About how much a split holds; a bigger file is a split of its own. */
  static final long TARGET_BYTES = 16 << 20;

  /** Most files in a split, for opening one costs time too. */
  static final int FILES_MAX = 500;

  FileSplit {
    files = List.copyOf(files);
  }

  /**
   * A file to read.
   *
   * @param modified milliseconds since the epoch, as listed
   * @param partition values of its directories, as texts; a value may be null
   */
  record Part(String path, long size, long modified, Map<String, String> partition) {}

  static FileSplit of(SourceSplit split) {
    return Json.read(split.range().toString(), FileSplit.class);
  }

  /** Groups files, in their order, into splits of about {@link #TARGET_BYTES}. */
  static List<SourceSplit> group(List<Part> parts, int bytesPerRow) {
    List<SourceSplit> splits = new ArrayList<>();
    List<Part> group = new ArrayList<>();
    long bytes = 0;
    for (Part part : parts) {
      boolean full = bytes + part.size() > TARGET_BYTES || group.size() == FILES_MAX;
      if (full && !group.isEmpty()) {
        splits.add(split(group, bytes, bytesPerRow));
        group = new ArrayList<>();
        bytes = 0;
      }
      group.add(part);
      bytes += part.size();
    }
    if (!group.isEmpty()) {
      splits.add(split(group, bytes, bytesPerRow));
    }
    return splits;
  }

  private static SourceSplit split(List<Part> files, long bytes, int bytesPerRow) {
    return new SourceSplit(Json.tree(new FileSplit(files)), bytes / bytesPerRow + files.size());
  }
}

package io.tidemill.protocol.task;

import java.util.Map;

/**
 * Rows that one task hands to the stage behind it, sorted by bucket.
 *
 * @param toStage the stage that reads it
 * @param key blob key below the checkpoint
 * @param types columns that the file keeps as another type, with their own type
 */
public record ShuffleFile(
    int toStage, String key, long rows, long bytes, long checksum, Map<String, String> types) {
  public ShuffleFile {
    types = types == null ? Map.of() : Map.copyOf(types);
  }

  /** A file whose columns come back as they were written. */
  public ShuffleFile(int toStage, String key, long rows, long bytes, long checksum) {
    this(toStage, key, rows, bytes, checksum, Map.of());
  }
}

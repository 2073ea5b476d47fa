package io.tidemill.connectors.file;

import java.util.Comparator;

/**
 * A file as listed.
 *
 * @param path absolute, normalised; the file's identity
 * @param size bytes
 * @param modifiedMillis last modification, milliseconds since the epoch
 */
record FoundFile(String path, long size, long modifiedMillis) {
  static final Comparator<FoundFile> OLDEST_FIRST =
      Comparator.comparingLong(FoundFile::modifiedMillis).thenComparing(FoundFile::path);

  static final Comparator<FoundFile> LATEST_FIRST =
      Comparator.comparingLong(FoundFile::modifiedMillis).reversed().thenComparing(FoundFile::path);

  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}

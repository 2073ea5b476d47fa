package io.tidemill.storage;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A blob store in which others may keep objects too, as files for sources: their keys may look like
 * anything, and they may be large.
 */
public interface ListedBlob extends Blob {
  /**
   * An object as listed.
   *
   * @param modifiedMillis when it was written, milliseconds since the epoch
   */
  record Listed(String key, long bytes, long modifiedMillis) {}

  /** As {@link #list}, with size and time. */
  List<Listed> listed(String prefix, String startAfter, int limit);

  /**
   * The object's bytes, or empty if there is none. The caller closes the stream, which may fail in
   * the middle.
   */
  Optional<InputStream> open(String key);

  /** Writes the object to a file that is not there yet; false if there is no object. */
  boolean fetch(String key, Path target);
}

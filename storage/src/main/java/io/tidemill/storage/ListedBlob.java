package io.tidemill.storage;

import java.util.List;

/** A blob store that knows more of its objects than their keys without reading each. */
public interface ListedBlob extends Blob {
  /**
   * An object as listed.
   *
   * @param modifiedMillis when it was written, milliseconds since the epoch
   */
  record Listed(String key, long bytes, long modifiedMillis) {}

  /** As {@link #list}, with size and time. */
  List<Listed> listed(String prefix, String startAfter, int limit);
}

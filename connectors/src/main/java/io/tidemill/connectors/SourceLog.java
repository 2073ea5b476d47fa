package io.tidemill.connectors;

import java.util.Optional;

/**
 * Immutable side notes of a source in the checkpoint, e.g. the list of files already read. A note
 * counts only once a committed position refers to it, so notes of abandoned plans are harmless.
 */
public interface SourceLog {
  /** Stores a note and returns its name, for use in a position. */
  String write(byte[] note);

  Optional<byte[]> read(String name);

  /** Removes a note that no retained position refers to. */
  void delete(String name);
}

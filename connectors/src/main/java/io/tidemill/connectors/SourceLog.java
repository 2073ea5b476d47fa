package io.tidemill.connectors;

import java.util.List;
import java.util.Optional;

/**
 * Immutable side notes of a source in the checkpoint, e.g. the list of files already read. A note
 * counts only once a committed position refers to it, so notes of abandoned plans are harmless.
 */
public interface SourceLog {
  /**
   * Stores a note and returns its name, for use in a position.
   *
   * @param number not less than that of any note before it, so that notes of abandoned plans can be
   *     told from those of plans to come
   */
  String write(long number, byte[] note);

  /** Names of all notes up to a number, also of those that no position refers to. */
  List<String> upTo(long number);

  Optional<byte[]> read(String name);

  /** Removes a note that no retained position refers to. */
  void delete(String name);
}

package io.tidemill.storage;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Immutable objects under slash-separated keys. Thread-safe. An object once written never changes;
 * whoever creates a key first wins. {@link Keys} says what a key may look like; no key may be a
 * folder of another (with {@code a/b} there is no {@code a}).
 *
 * <p>Failures that may or may not have happened are never thrown as "did not happen": {@link
 * #putIfAbsent} reports them as {@link PutOutcome#UNKNOWN}. Other failures are {@code
 * STORAGE_UNAVAILABLE}, {@code STORAGE_FULL}, or {@code NOT_WRITABLE} if the location is one that
 * will never take a write.
 */
public interface Blob extends AutoCloseable {
  /** What became of a conditional write. */
  enum PutOutcome {
    /** The object is there with exactly these bytes, written by this call. */
    COMMITTED,
    /** The key was taken. Perhaps by an earlier try of the same caller: read back to know. */
    CONFLICT,
    /** The write may have happened. Read back to know. */
    UNKNOWN
  }

  /** Creates the object, unless the key is taken. */
  PutOutcome putIfAbsent(String key, byte[] bytes);

  /**
   * Creates the object from a local file, unless the key is taken. The file is gone if that
   * happened; otherwise it stays. Its content must not be changed afterwards.
   */
  PutOutcome putFileIfAbsent(String key, Path file);

  /**
   * Gives an existing object a second name, unless that name is taken. A missing source is {@code
   * STORAGE_UNAVAILABLE}.
   */
  PutOutcome copyIfAbsent(String fromKey, String toKey);

  /** The object, or empty if there is none. */
  Optional<byte[]> get(String key);

  /**
   * A local file with the object's content, or empty if there is none. Read only; it stays until
   * the store is closed.
   */
  Optional<Path> localFile(String key);

  /** Size in bytes, or empty if there is no object. */
  Optional<Long> size(String key);

  /**
   * The first {@code limit} keys that start with the prefix and sort after {@code startAfter}
   * (exclusive; empty for all), in {@link Keys#ORDER}. The prefix need not end at a slash.
   */
  List<String> list(String prefix, String startAfter, int limit);

  /**
   * Removes the object if it is there. May be repeated; an error leaves open whether it happened.
   */
  void delete(String key);

  /** The location, for people and error texts, without secrets. */
  String location();

  @Override
  void close();
}

package io.tidemill.storage.s3;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Copies of objects on the local disk, in a directory of this process alone. Objects never change,
 * so a copy is good for ever; the oldest used go when there is too much, but none that was asked
 * for lately, as it may still be read. Thread-safe.
 */
public final class LocalCopies implements AutoCloseable {
  /** A copy may be read for so long after it was asked for: as long as a function may run. */
  static final Duration IN_USE = Duration.ofMinutes(15);

  private final Path directory;
  private final long bytesMax;
  private final InstantSource clock;

  /** In order of last use. */
  private final Map<String, Copy> copies = new LinkedHashMap<>(16, 0.75f, true);

  private long bytes;
  private long made;

  private record Copy(Path path, long bytes, long usedMillis) {}

  /**
   * @param directory created when it is needed
   * @param bytesMax what copies may take together, but for those in use
   */
  public LocalCopies(Path directory, long bytesMax, InstantSource clock) {
    this.directory = directory;
    this.bytesMax = bytesMax;
    this.clock = clock;
  }

  /**
   * The copy of an object.
   *
   * @param fetch writes the object to a file that is not there yet; false if there is no object
   */
  Optional<Path> get(String key, Predicate<Path> fetch) {
    Optional<Path> there = use(key);
    if (there.isPresent()) {
      return there;
    }
    Path fetched = next();
    if (!fetch.test(fetched)) {
      return Optional.empty();
    }
    return Optional.of(keep(key, fetched));
  }

  private synchronized Optional<Path> use(String key) {
    Copy copy = copies.get(key);
    if (copy == null) {
      return Optional.empty();
    }
    copies.put(key, new Copy(copy.path(), copy.bytes(), clock.millis()));
    return Optional.of(copy.path());
  }

  /** A name for a file that nobody else has. */
  synchronized Path next() {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw unavailable(directory, e);
    }
    return directory.resolve("copy-" + made++);
  }

  private synchronized Path keep(String key, Path fetched) {
    try {
      Path path = Files.move(fetched, next(), StandardCopyOption.ATOMIC_MOVE);
      // Another thread may have fetched it too, and someone may be reading what that one gave.
      copies.putIfAbsent(key, new Copy(path, Files.size(path), clock.millis()));
      Copy kept = copies.get(key);
      if (kept.path().equals(path)) {
        bytes += kept.bytes();
        shrink();
      } else {
        Files.delete(path);
      }
      return kept.path();
    } catch (IOException e) {
      throw unavailable(fetched, e);
    }
  }

  private void shrink() throws IOException {
    long unused = clock.millis() - IN_USE.toMillis();
    Iterator<Copy> oldest = copies.values().iterator();
    while (bytes > bytesMax && oldest.hasNext()) {
      Copy copy = oldest.next();
      if (copy.usedMillis() > unused) {
        return;
      }
      Files.deleteIfExists(copy.path());
      bytes -= copy.bytes();
      oldest.remove();
    }
  }

  /** Forgets a copy whose object is deleted. */
  synchronized void forget(String key) {
    Copy copy = copies.remove(key);
    if (copy != null) {
      bytes -= copy.bytes();
      try {
        Files.deleteIfExists(copy.path());
      } catch (IOException e) {
        throw unavailable(copy.path(), e);
      }
    }
  }

  /** Deletes all copies. */
  @Override
  public synchronized void close() {
    try {
      for (Copy copy : copies.values()) {
        Files.deleteIfExists(copy.path());
      }
      copies.clear();
      bytes = 0;
    } catch (IOException e) {
      throw unavailable(directory, e);
    }
  }

  static TidemillException unavailable(Path file, IOException cause) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE,
            "The local copy of an object cannot be kept. Check the disk.",
            cause)
        .with("file", file);
  }
}

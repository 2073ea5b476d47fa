package io.tidemill.storage.memory;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * Objects in memory, for tests, simulation and throw-away runs. Uses a directory only for {@link
 * #localFile}.
 */
public final class MemoryBlob implements Blob {
  private final ConcurrentSkipListMap<String, byte[]> objects =
      new ConcurrentSkipListMap<>(Keys.ORDER);
  private final Map<String, Path> files = new ConcurrentHashMap<>();
  private Path directory;
  private long written;

  @Override
  public PutOutcome putIfAbsent(String key, byte[] bytes) {
    return create(key, bytes.clone());
  }

  @Override
  public PutOutcome putFileIfAbsent(String key, Path file) {
    try {
      PutOutcome outcome = create(key, Files.readAllBytes(file));
      if (outcome == PutOutcome.COMMITTED) {
        Files.delete(file);
      }
      return outcome;
    } catch (IOException e) {
      throw unavailable("A local file to be stored cannot be read.", key, e);
    }
  }

  @Override
  public PutOutcome copyIfAbsent(String fromKey, String toKey) {
    byte[] bytes = objects.get(Keys.checked(fromKey));
    if (bytes == null) {
      throw unavailable("The object to be copied does not exist.", fromKey, null);
    }
    return create(toKey, bytes);
  }

  private PutOutcome create(String key, byte[] bytes) {
    requireNoFolder(key);
    return objects.putIfAbsent(Keys.checked(key), bytes) == null
        ? PutOutcome.COMMITTED
        : PutOutcome.CONFLICT;
  }

  /** Finds keys that would not work on local disk. */
  private void requireNoFolder(String key) {
    String below = objects.higherKey(key + "/");
    boolean isFolder = below != null && below.startsWith(key + "/");
    for (int at = key.indexOf('/'); at >= 0 && !isFolder; at = key.indexOf('/', at + 1)) {
      isFolder = objects.containsKey(key.substring(0, at));
    }
    if (isFolder) {
      throw new IllegalArgumentException("a key must not be a folder of another: " + key);
    }
  }

  @Override
  public Optional<byte[]> get(String key) {
    return Optional.ofNullable(objects.get(Keys.checked(key))).map(byte[]::clone);
  }

  @Override
  public Optional<Path> localFile(String key) {
    byte[] bytes = objects.get(Keys.checked(key));
    return bytes == null
        ? Optional.empty()
        : Optional.of(files.computeIfAbsent(key, k -> write(k, bytes)));
  }

  private synchronized Path write(String key, byte[] bytes) {
    try {
      if (directory == null) {
        directory = Files.createTempDirectory("tidemill-memory");
      }
      return Files.write(directory.resolve("object-" + written++), bytes);
    } catch (IOException e) {
      throw unavailable("An object could not be written to a local file.", key, e);
    }
  }

  @Override
  public Optional<Long> size(String key) {
    return Optional.ofNullable(objects.get(Keys.checked(key))).map(bytes -> (long) bytes.length);
  }

  @Override
  public List<String> list(String prefix, String startAfter, int limit) {
    List<String> keys = new ArrayList<>();
    boolean inside = Keys.ORDER.compare(startAfter, prefix) >= 0;
    for (String key : objects.tailMap(inside ? startAfter : prefix, !inside).keySet()) {
      if (keys.size() >= limit || !key.startsWith(prefix)) {
        break;
      }
      keys.add(key);
    }
    return keys;
  }

  @Override
  public void delete(String key) {
    objects.remove(Keys.checked(key));
    files.remove(key);
  }

  @Override
  public String location() {
    return "memory";
  }

  @Override
  public synchronized void close() {
    if (directory == null) {
      return;
    }
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
      directory = null;
      files.clear();
    } catch (IOException e) {
      throw unavailable("The local files of a memory store cannot be removed.", "", e);
    }
  }

  private static TidemillException unavailable(String text, String key, IOException cause) {
    return new TidemillException(ErrorCode.STORAGE_UNAVAILABLE, text, cause)
        .with("key", key)
        .with("location", "memory");
  }
}

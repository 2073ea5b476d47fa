package io.tidemill.function;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The local directory of one function instance. Nothing in it outlives the instance. */
final class Scratch implements AutoCloseable {
  private final Path root;
  private int count;

  Scratch(Path root) throws IOException {
    Files.createDirectories(root);
    this.root = root.toRealPath();
  }

  Path root() {
    return root;
  }

  /** A directory that stays. */
  Path directory(String name) {
    return created(root.resolve(name));
  }

  /** A fresh empty directory that goes with {@link #clear}. */
  Path fresh(String group) {
    return created(root.resolve(group).resolve(Integer.toString(count++)));
  }

  private static Path created(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  void clear(String group) {
    delete(root.resolve(group));
  }

  private static void delete(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException | UncheckedIOException e) {
      throw failed(directory, e);
    }
  }

  private static TidemillException failed(Path directory, Exception e) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE, "The scratch directory cannot be used.", e)
        .with("directory", directory);
  }

  @Override
  public void close() {
    delete(root);
  }
}

package io.tidemill.cli;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory to work in: one that the user named and that stays, or one that goes away. */
final class WorkDirectory implements AutoCloseable {
  private final Path path;
  private final boolean temporary;

  private WorkDirectory(Path path, boolean temporary) {
    this.path = path;
    this.temporary = temporary;
  }

  /**
   * Opens a directory.
   *
   * @param directory is created if it does not exist; null for one that goes away on close
   * @throws TidemillException NOT_WRITABLE
   */
  static WorkDirectory keptIn(Path directory) {
    try {
      return directory == null
          ? new WorkDirectory(Files.createTempDirectory("tidemill"), true)
          : new WorkDirectory(Files.createDirectories(directory.toAbsolutePath()), false);
    } catch (IOException e) {
      throw notWritable(
          directory == null ? Path.of(System.getProperty("java.io.tmpdir")) : directory, e);
    }
  }

  static TidemillException notWritable(Path directory, IOException cause) {
    return new TidemillException(
            ErrorCode.NOT_WRITABLE,
            "The directory cannot be written. Name another one, or make it writable.",
            cause)
        .with("directory", directory);
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    if (!temporary) {
      return;
    }
    try (Stream<Path> tree = Files.walk(path)) {
      List<Path> deepestFirst = tree.sorted(Comparator.reverseOrder()).toList();
      for (Path entry : deepestFirst) {
        Files.deleteIfExists(entry);
      }
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.NOT_WRITABLE, "The temporary directory could not be removed.", e)
          .with("directory", path);
    }
  }
}

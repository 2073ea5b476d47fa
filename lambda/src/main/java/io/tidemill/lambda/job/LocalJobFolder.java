package io.tidemill.lambda.job;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Jobs in a local directory: those packaged with the functions. */
public final class LocalJobFolder implements JobFolder {
  private final Path directory;

  public LocalJobFolder(Path directory) {
    this.directory = directory;
  }

  @Override
  public List<String> names() {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".sql"))
          .sorted()
          .limit(JOBS_MAX)
          .toList();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public Optional<String> text(String name) {
    Path file = directory.resolve(name).normalize();
    if (!directory.normalize().equals(file.getParent()) || !Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(file));
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private TidemillException unreadable(IOException cause) {
    return new TidemillException(
            ErrorCode.STORAGE_UNAVAILABLE, "The folder of jobs cannot be read.", cause)
        .with("folder", directory);
  }

  @Override
  public String location() {
    return directory.toString();
  }
}

package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory that goes with the session. */
final class ScratchDirectory implements AutoCloseable {
  private final Path path;

  ScratchDirectory() {
    try {
      path = Files.createTempDirectory("tidemill-session");
    } catch (IOException e) {
      throw new TidemillException(
          ErrorCode.STORAGE_UNAVAILABLE, "A temporary directory could not be made.", e);
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "A temporary directory could not be removed.", e)
          .with("directory", path);
    }
  }
}

package io.tidemill.cli;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A job file on this machine. */
final class JobFile {
  private JobFile() {}

  /**
   * Reads it. Errors: {@code INVALID_OPTION}, with the nearest name in the same folder if there is
   * no such file.
   */
  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      String reason =
          Files.exists(file)
              ? "The job file cannot be read."
              : "There is no such job file." + Nearest.hint(name(file), neighbours(file));
      throw new TidemillException(ErrorCode.INVALID_OPTION, reason, e).with("file", file);
    }
  }

  private static String name(Path file) {
    return file.toAbsolutePath().getFileName().toString();
  }

  private static List<String> neighbours(Path file) {
    try (Stream<Path> files = Files.list(file.toAbsolutePath().getParent())) {
      return files.filter(Files::isRegularFile).map(JobFile::name).toList();
    } catch (IOException e) {
      return List.of(); // Without the folder there is nothing to suggest.
    }
  }
}

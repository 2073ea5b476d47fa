package io.tidemill.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of the project, without what builds make. */
final class SourceTree {
  private static final Set<String> MADE = Set.of("target", ".git", ".venv", "node_modules", "out");

  private SourceTree() {}

  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("mvnw"))) {
      here = here.getParent();
    }
    return here;
  }

  static List<Path> files(String ending) {
    try (Stream<Path> paths = Files.walk(root())) {
      return paths
          .filter(p -> p.toString().endsWith(ending))
          .filter(
              p -> Stream.of(root().relativize(p).toString().split("/")).noneMatch(MADE::contains))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

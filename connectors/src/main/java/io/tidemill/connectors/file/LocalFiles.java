package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Locations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Files of the local disk. */
final class LocalFiles implements FileAccess {
  @Override
  public List<FoundFile> list(FilePattern pattern) {
    Path plain = Locations.path(pattern.plainPath().orElse(pattern.base()));
    if (!Files.exists(plain)) {
      if (pattern.isGlob()) {
        return List.of();
      }
      throw new TidemillException(
              ErrorCode.SOURCE_MISSING,
              "The path of a file source does not exist: create it, or correct the option 'path'.")
          .with("path", pattern.text());
    }
    List<FoundFile> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          Locations.path(pattern.base()),
          EnumSet.of(FileVisitOption.FOLLOW_LINKS),
          Integer.MAX_VALUE,
          new Listing(pattern, found));
    } catch (IOException e) {
      throw unavailable("Files could not be listed.", pattern.base(), e);
    }
    return found;
  }

  private static final class Listing extends SimpleFileVisitor<Path> {
    private final FilePattern pattern;
    private final List<FoundFile> found;

    Listing(FilePattern pattern, List<FoundFile> found) {
      this.pattern = pattern;
      this.found = found;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return pattern.mayHold(directory.toString())
          ? FileVisitResult.CONTINUE
          : FileVisitResult.SKIP_SUBTREE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (attributes.isRegularFile() && pattern.accepts(file.toString())) {
        found.add(foundFile(file, attributes));
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE; // Removed while we were listing.
      }
      throw failure;
    }
  }

  private static FoundFile foundFile(Path file, BasicFileAttributes attributes) {
    return new FoundFile(
        file.toString(), attributes.size(), attributes.lastModifiedTime().toMillis());
  }

  @Override
  public Optional<FoundFile> find(String path) {
    try {
      Path file = Locations.path(path);
      return Optional.of(foundFile(file, Files.readAttributes(file, BasicFileAttributes.class)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unavailable("A file could not be looked at.", path, e);
    }
  }

  @Override
  public Optional<InputStream> open(String path) {
    try {
      return Optional.of(Files.newInputStream(Locations.path(path)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unavailable("A file could not be opened.", path, e);
    }
  }

  @Override
  public Optional<Path> place(String path, Path directory, String name) {
    Path target = directory.resolve(name);
    Path source = Locations.path(path);
    try {
      // The real file is linked: DuckDB looks through symbolic links and would refuse.
      Files.createLink(target, source.toRealPath());
      return Optional.of(target);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException | UnsupportedOperationException e) {
      return copy(source, target); // Another disk, or a disk without hard links.
    }
  }

  private static Optional<Path> copy(Path source, Path target) {
    try {
      return Optional.of(Files.copy(source, target));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unavailable("A file could not be copied for reading.", source.toString(), e);
    }
  }

  @Override
  public <T> T withLocal(String path, Function<Path, T> reading) {
    return reading.apply(Locations.path(path));
  }

  @Override
  public List<String> names(String directory) {
    try (Stream<Path> files = Files.list(Locations.path(directory))) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(FilePattern::visible)
          .sorted()
          .toList();
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (IOException e) {
      throw unavailable("A directory could not be listed.", directory, e);
    }
  }

  @Override
  public void delete(String path) {
    try {
      Files.deleteIfExists(Locations.path(path));
    } catch (IOException e) {
      throw unavailable("A file that was read could not be deleted.", path, e);
    }
  }

  @Override
  public void archive(String path, String directory) {
    Path source = Locations.path(path);
    Path target =
        Locations.path(directory).toAbsolutePath().resolve(source.getRoot().relativize(source));
    try {
      Files.createDirectories(target.getParent());
      Files.move(source, target);
    } catch (NoSuchFileException e) {
      return; // Archived by an earlier try.
    } catch (FileAlreadyExistsException e) {
      throw new TidemillException(
              ErrorCode.SOURCE_UNAVAILABLE,
              "A file that was read cannot be archived: the archive has one of the same path.",
              e)
          .with("file", path)
          .with("archive", target);
    } catch (IOException e) {
      throw unavailable("A file that was read could not be archived.", path, e);
    }
  }

  private static TidemillException unavailable(String text, String path, Exception cause) {
    return new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, text, cause).with("path", path);
  }
}

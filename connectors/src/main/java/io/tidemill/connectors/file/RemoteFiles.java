package io.tidemill.connectors.file;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.ListedBlob;
import io.tidemill.storage.ListedBlob.Listed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Files that are objects of a bucket. There are no directories: one without files does not exist,
 * which is no error, as it will when its first file is written.
 */
final class RemoteFiles implements FileAccess {
  private static final int PAGE = 1000;

  private final String root;
  private final ListedBlob bucket;

  /**
   * @param root what all paths start with, e.g. {@code s3://BUCKET/}
   * @param bucket the objects below it
   */
  RemoteFiles(String root, ListedBlob bucket) {
    this.root = root;
    this.bucket = bucket;
  }

  private String key(String path) {
    return path.substring(root.length());
  }

  @Override
  public List<FoundFile> list(FilePattern pattern) {
    List<FoundFile> found = new ArrayList<>();
    for (Listed object : objects(folder(pattern.base()))) {
      FoundFile file = file(object);
      if (pattern.accepts(file.path())) {
        found.add(file);
      }
    }
    if (found.isEmpty() && !pattern.isGlob()) {
      pattern
          .plainPath()
          .flatMap(this::find)
          .filter(f -> pattern.accepts(f.path()))
          .ifPresent(found::add);
    }
    return found;
  }

  /** The prefix of all keys in a directory. */
  private String folder(String directory) {
    String key = directory.equals(root) ? "" : key(directory);
    return key.isEmpty() || key.endsWith("/") ? key : key + "/";
  }

  private List<Listed> objects(String prefix) {
    List<Listed> all = new ArrayList<>();
    List<Listed> page;
    do {
      String after = all.isEmpty() ? "" : all.get(all.size() - 1).key();
      page = answered(prefix, () -> bucket.listed(prefix, after, PAGE));
      all.addAll(page);
    } while (page.size() == PAGE);
    return all;
  }

  private FoundFile file(Listed object) {
    return new FoundFile(root + object.key(), object.bytes(), object.modifiedMillis());
  }

  @Override
  public Optional<FoundFile> find(String path) {
    String key = key(path);
    if (key.isEmpty()) {
      return Optional.empty();
    }
    // The key itself is the first of those that start with it.
    return answered(path, () -> bucket.listed(key, "", 1)).stream()
        .filter(object -> object.key().equals(key))
        .map(this::file)
        .findFirst();
  }

  @Override
  public Optional<InputStream> open(String path) {
    return answered(path, () -> bucket.open(key(path)));
  }

  @Override
  public Optional<Path> place(String path, Path directory, String name) {
    Path target = directory.resolve(name);
    return answered(path, () -> bucket.fetch(key(path), target))
        ? Optional.of(target)
        : Optional.empty();
  }

  @Override
  public <T> T withLocal(String path, Function<Path, T> reading) {
    try {
      Path directory = Files.createTempDirectory("tidemill-file");
      Path file = directory.resolve("file");
      try {
        if (place(path, directory, "file").isEmpty()) {
          throw new TidemillException(
                  ErrorCode.SOURCE_UNAVAILABLE, "A file vanished while being looked at.")
              .with("path", path);
        }
        return reading.apply(file);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(directory);
      }
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.STORAGE_UNAVAILABLE, "A file could not be copied to look at it.", e)
          .with("path", path);
    }
  }

  @Override
  public List<String> names(String directory) {
    String folder = folder(directory);
    return objects(folder).stream()
        .map(object -> object.key().substring(folder.length()))
        .filter(name -> name.indexOf('/') < 0 && FilePattern.visible(name))
        .sorted()
        .toList();
  }

  @Override
  public void delete(String path) {
    answered(
        path,
        () -> {
          bucket.delete(key(path));
          return true;
        });
  }

  @Override
  public void archive(String path, String directory) {
    String source = key(path);
    String target = folder(directory) + source;
    Optional<FoundFile> file = find(path);
    if (file.isEmpty()) {
      return; // Archived by an earlier try.
    }
    answered(path, () -> bucket.copyIfAbsent(source, target));
    Optional<Long> archived = answered(path, () -> bucket.size(target));
    if (!archived.equals(Optional.of(file.get().size()))) {
      throw new TidemillException(
              ErrorCode.SOURCE_UNAVAILABLE,
              "A file that was read cannot be archived: the archive has one of the same path, or"
                  + " none was made.")
          .with("file", path)
          .with("archive", root + target);
    }
    delete(path);
  }

  private interface Call<T> {
    T make();
  }

  /** Storage that does not answer is, for a source, the source that does not. */
  private static <T> T answered(String path, Call<T> call) {
    try {
      return call.make();
    } catch (TidemillException e) {
      if (e.code() == ErrorCode.STORAGE_UNAVAILABLE) {
        throw new TidemillException(
                ErrorCode.SOURCE_UNAVAILABLE,
                "The place of a file source does not answer. Try again later.",
                e)
            .with("path", path);
      }
      throw e;
    }
  }
}

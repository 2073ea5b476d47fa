package io.tidemill.storage.local;

import io.tidemill.storage.Keys;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Walks directories in the order of keys, opening only those that can hold one that is asked. */
final class Listing {
  private final String prefix;
  private final String startAfter;
  private final int limit;
  private final List<String> keys = new ArrayList<>();

  private Listing(String prefix, String startAfter, int limit) {
    this.prefix = prefix;
    this.startAfter = startAfter;
    this.limit = limit;
  }

  static List<String> of(Path root, String prefix, String startAfter, int limit)
      throws IOException {
    Listing listing = new Listing(prefix, startAfter, limit);
    int slash = prefix.lastIndexOf('/');
    if (slash < 0) {
      listing.walk(root, "");
    } else {
      String folder = prefix.substring(0, slash);
      listing.walk(LocalBlob.path(root, folder), folder + "/");
    }
    return listing.keys;
  }

  /**
   * @param folder keys in the directory start with it; empty or with a slash at the end
   */
  private void walk(Path directory, String folder) throws IOException {
    for (String name : names(directory, folder)) {
      if (keys.size() >= limit) {
        return;
      }
      if (name.endsWith("/")) {
        String inner = folder + name;
        walk(directory.resolve(name.substring(0, name.length() - 1)), inner);
      } else {
        keys.add(folder + name);
      }
    }
  }

  /** Names that can lead to keys asked for, in order; those of directories end with a slash. */
  private List<String> names(Path directory, String folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        String path = folder + name;
        if (!matches(path) || path.equals(Keys.RESERVED)) {
          continue;
        }
        boolean keyIsLater = Keys.ORDER.compare(path, startAfter) > 0;
        boolean mayHoldLater = mayHoldLater(path + "/");
        // Asking the file system is the dear part: a chain has many slots before the one asked for.
        if (keyIsLater || mayHoldLater) {
          boolean isFolder = Files.isDirectory(entry);
          if (isFolder ? mayHoldLater : keyIsLater) {
            names.add(isFolder ? name + "/" : name);
          }
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // No key lies below it, or no longer: the last one may just have been deleted.
      return List.of();
    }
    // With the slash, because "a-b" sorts before "a/b".
    names.sort(Keys.ORDER);
    return names;
  }

  private boolean matches(String path) {
    return path.startsWith(prefix) || prefix.startsWith(path + "/");
  }

  private boolean mayHoldLater(String folder) {
    return startAfter.startsWith(folder) || Keys.ORDER.compare(folder, startAfter) > 0;
  }
}

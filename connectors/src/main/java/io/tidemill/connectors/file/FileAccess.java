package io.tidemill.connectors.file;

import io.tidemill.storage.ListedBlob;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The places source files come from. Paths are absolute texts as in {@link FoundFile#path}.
 * Thread-safe. A place that does not answer is {@code SOURCE_UNAVAILABLE}.
 */
interface FileAccess {
  /**
   * The access for a path as written in a job.
   *
   * @param remote opens a location with a scheme; what it opens is never closed, as it holds
   *     nothing
   */
  static FileAccess of(String path, Function<String, ListedBlob> remote) {
    return FilePattern.root(path)
        .<FileAccess>map(root -> new RemoteFiles(root, remote.apply(root)))
        .orElseGet(LocalFiles::new);
  }

  /**
   * All files the pattern accepts, in no particular order. A path that is no glob and does not
   * exist is {@code SOURCE_MISSING}.
   */
  List<FoundFile> list(FilePattern pattern);

  /** The file now, or empty if it is not there. */
  Optional<FoundFile> find(String path);

  /** The file's bytes, or empty if it is not there. The caller closes the stream. */
  Optional<InputStream> open(String path);

  /**
   * Puts the file's content under a name in the directory, by link or copy; empty if the file is
   * not there.
   */
  Optional<Path> place(String path, Path directory, String name);

  /** Reads from a local file with the file's content, which is there during the call only. */
  <T> T withLocal(String path, Function<Path, T> reading);

  /** Names of visible files in a directory, in order; none if there is no such directory. */
  List<String> names(String directory);

  /** Removes the file if it is there. */
  void delete(String path);

  /** Moves the file below the directory, keeping its whole path; nothing if it is not there. */
  void archive(String path, String directory);
}

package io.tidemill.connectors.file;

import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Deletes or archives files whose batch is committed. Idempotent. Not thread-safe. */
final class CleanUp {
  private final FileAccess access;
  private final FileSourceOptions options;

  /** Listed files already cleaned up, so that a long run does not look at them each time. */
  private final Set<FoundFile> done = new HashSet<>();

  CleanUp(FileAccess access, FileSourceOptions options) {
    this.access = access;
    this.options = options;
  }

  boolean isOff() {
    return options.cleanSource() == FileSourceOptions.Clean.OFF;
  }

  /**
   * Cleans up the listed files that have been read. A file that was written anew under the same
   * path is not the one that was read: it stays. One file's failure does not keep the others; the
   * first is thrown at the end.
   */
  void clean(Set<FoundFile> listed, Map<String, Long> read) {
    done.retainAll(listed);
    List<TidemillException> failures = new ArrayList<>();
    for (FoundFile file : listed) {
      Long modified = read.get(file.path());
      if (modified != null && !done.contains(file)) {
        try {
          if (isStill(file.path(), modified)) {
            clean(file.path());
          }
          done.add(file);
        } catch (TidemillException e) {
          failures.add(e);
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.get(0).with("failures", failures.size());
    }
  }

  private boolean isStill(String path, long modified) {
    return access.find(path).map(now -> now.modifiedMillis() == modified).orElse(false);
  }

  private void clean(String path) {
    if (options.cleanSource() == FileSourceOptions.Clean.DELETE) {
      access.delete(path);
    } else {
      access.archive(path, options.archiveDirectory().orElseThrow());
    }
  }
}

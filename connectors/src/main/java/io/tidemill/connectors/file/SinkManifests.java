package io.tidemill.connectors.file;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The files that a file sink says it has published into a directory, for sources that read its
 * output. Keeps what it has read, for manifests never change. Not thread-safe.
 */
final class SinkManifests {
  private final FileAccess access;
  private final String directory;
  private final Map<String, List<String>> known = new HashMap<>();

  SinkManifests(FileAccess access, String directory) {
    this.access = access;
    this.directory = directory;
  }

  /** True if the directory is the output of a file sink. */
  boolean exist() {
    return !access.names(directory + "/" + Manifest.DIRECTORY).isEmpty();
  }

  /** Absolute paths of all files published so far. */
  Set<String> files() {
    Set<String> files = new HashSet<>();
    for (String name : access.names(directory + "/" + Manifest.DIRECTORY)) {
      files.addAll(known.computeIfAbsent(name, this::read));
    }
    return files;
  }

  private List<String> read(String name) {
    String path = directory + "/" + Manifest.DIRECTORY + "/" + name;
    try (InputStream in =
        access
            .open(path)
            .orElseThrow(
                () ->
                    new TidemillException(
                            ErrorCode.SOURCE_UNAVAILABLE, "A manifest vanished while being read.")
                        .with("manifest", path))) {
      return Json.read(in.readAllBytes(), Manifest.class).files().stream()
          .map(f -> directory + "/" + f.name())
          .toList();
    } catch (IOException e) {
      throw new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, "A manifest could not be read.", e)
          .with("manifest", path);
    }
  }
}

package io.tidemill.cli;

import io.tidemill.aws.local.LocalAws;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Locations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Brings what a job has written to {@code ${OUT}} to this machine's disk. */
final class AwsOutput {
  private static final int KEYS_PER_LISTING = 1_000;

  private AwsOutput() {}

  /** Copies all objects but those whose name begins with an underscore, which are not results. */
  static Path copy(Locations locations, Path directory) {
    try (Blob out = locations.blob(LocalAws.OUT)) {
      String last = "";
      List<String> keys;
      do {
        keys = out.list("", last, KEYS_PER_LISTING);
        for (String key : keys) {
          if (!("/" + key).contains("/_")) {
            copy(out, key, directory.resolve(key));
          }
          last = key;
        }
      } while (keys.size() == KEYS_PER_LISTING);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.NOT_WRITABLE, "The result could not be copied from S3.", e)
          .with("directory", directory);
    }
    return directory;
  }

  private static void copy(Blob out, String key, Path file) throws IOException {
    byte[] content =
        out.get(key)
            .orElseThrow(
                () ->
                    new TidemillException(
                            ErrorCode.STORAGE_UNAVAILABLE, "A listed object is not there.")
                        .with("key", key));
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }
}

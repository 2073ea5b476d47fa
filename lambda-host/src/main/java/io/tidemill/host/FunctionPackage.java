package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A function's package, unpacked. */
final class FunctionPackage {
  /** Lambda refuses packages that unpack to more. */
  static final long UNPACKED_BYTES_MAX = 250L * 1024 * 1024;

  private FunctionPackage() {}

  /** Unpacks into a directory; larger than Lambda allows is {@code INVALID_OPTION}. */
  static Path unpack(Path zip, Path directory) {
    long bytes = 0;
    try (InputStream file = Files.newInputStream(zip);
        ZipInputStream entries = new ZipInputStream(file)) {
      Files.createDirectories(directory);
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        Path target = directory.resolve(entry.getName()).normalize();
        if (!target.startsWith(directory)) {
          throw new IOException("an entry points out of the package: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          bytes += Files.copy(entries, target);
        }
        if (bytes > UNPACKED_BYTES_MAX) {
          throw new TidemillException(
                  ErrorCode.INVALID_OPTION,
                  "The function's package is larger than Lambda takes. Remove what it does not"
                      + " need.")
              .with("package", zip)
              .with("unpackedBytesMax", UNPACKED_BYTES_MAX);
        }
      }
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "The function's package cannot be unpacked.", e)
          .with("package", zip);
    }
    return directory;
  }
}

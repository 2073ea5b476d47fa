package io.tidemill.host;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The native library of Lambda's Java runtime client, unpacked once for all processes of a host.
 * Left to itself each process unpacks it to the same file under {@code /tmp}, which in Lambda is
 * its own: here two that start at the same time would remove it from under each other.
 */
final class RuntimeLibrary {
  /** What the runtime client reads its library's path from. */
  private static final String PROPERTY =
      "com.amazonaws.services.lambda.runtime.api.client.runtimeapi.NativeClient.JNI";

  private RuntimeLibrary() {}

  /**
   * Unpacks the library for this machine. Errors: {@code INVALID_OPTION} on a machine that the
   * runtime client has none for.
   */
  static void unpack(Path directory) throws IOException {
    String resource = "/jni/libaws-lambda-jni." + platform() + ".so";
    try (InputStream library = ProcessLine.bootstrapClass().getResourceAsStream(resource)) {
      if (library == null) {
        throw new TidemillException(
                ErrorCode.INVALID_OPTION,
                "Lambda's Java runtime does not run on this machine. It needs Linux on x86_64 or"
                    + " arm64. 'tidemill run' runs jobs without it.")
            .with("system", System.getProperty("os.name"))
            .with("processor", System.getProperty("os.arch"));
      }
      Files.createDirectories(directory);
      Files.copy(library, file(directory), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Java's option for a process that is to use it. */
  static String option(Path directory) {
    return "-D" + PROPERTY + "=" + file(directory);
  }

  private static Path file(Path directory) {
    return directory.resolve("libaws-lambda-jni.so").toAbsolutePath();
  }

  /** As the runtime client names it: by the C library and processor that this process has. */
  private static String platform() throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      return "none";
    }
    // Paths may be in any encoding; the one that is looked for is in all.
    Path maps = Path.of("/proc/self/maps");
    boolean musl = Files.readString(maps, StandardCharsets.ISO_8859_1).contains("/ld-musl-");
    String processor =
        switch (System.getProperty("os.arch")) {
          case "amd64" -> "x86_64";
          case "aarch64" -> "aarch_64";
          default -> "none";
        };
    return (musl ? "linux_musl-" : "linux-") + processor;
  }
}

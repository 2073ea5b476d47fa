package io.tidemill.functions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** The package of the functions with one more library: {@link RecordedCalls}. */
final class RecordingPackage {
  private RecordingPackage() {}

  static Path of(Path zip, Path directory) {
    try {
      Path recording = Files.copy(zip, directory.resolve("recording.zip"));
      try (FileSystem content = FileSystems.newFileSystem(recording)) {
        Files.write(content.getPath("lib", "recorded-calls.jar"), jar());
      }
      return recording;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] jar() throws IOException {
    String name = RecordedCalls.class.getName();
    String file = name.replace('.', '/') + ".class";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes);
        InputStream code = RecordedCalls.class.getResourceAsStream("/" + file)) {
      jar.putNextEntry(new ZipEntry(file));
      jar.write(code.readAllBytes());
      jar.putNextEntry(new ZipEntry(RecordedCalls.REGISTRATION));
      jar.write(name.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }
}

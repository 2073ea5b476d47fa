package io.tidemill.process;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;

/** A jar as a user makes it: with javac and nothing else. */
public final class ProgramJar {
  private static final Path EXAMPLES = Path.of("..", "examples", "java", "com", "example");

  private ProgramJar() {}

  /** Of one of the examples, by the name of its class. */
  public static Path ofExample(Path directory, String name) {
    return of(directory, EXAMPLES.resolve(name + ".java"));
  }

  /** Of a class without package, by its source. */
  public static Path ofSource(Path directory, String name, String text) {
    try {
      return of(directory, Files.writeString(directory.resolve(name + ".java"), text));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path of(Path directory, Path source) {
    Path classes = directory.resolve("classes");
    int exit =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                classes.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source.toString());
    if (exit != 0) {
      throw new AssertionError("The source does not compile: " + source);
    }
    return ofClasses(directory);
  }

  /** Once more, of what the folder {@code classes} has now. */
  public static Path ofClasses(Path directory) {
    Path classes = directory.resolve("classes");
    Path jar = directory.resolve("job.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Path each : files(classes)) {
        out.putNextEntry(new ZipEntry(classes.relativize(each).toString().replace('\\', '/')));
        out.write(Files.readAllBytes(each));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jar;
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(Files::isRegularFile).sorted().toList();
    }
  }
}

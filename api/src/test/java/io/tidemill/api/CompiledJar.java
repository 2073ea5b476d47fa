package io.tidemill.api;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles Java sources into a jar, as a user's build would. */
final class CompiledJar {
  private CompiledJar() {}

  static Path of(Path directory, Path source) throws IOException {
    Path classes = Files.createDirectories(directory.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-Xlint:all", "-Werror", "-d", classes.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), source.toString()));
    int exit = compiler.run(null, null, null, arguments.toArray(new String[0]));
    if (exit != 0) {
      throw new AssertionError("the source does not compile: " + source);
    }
    Path jar = directory.resolve("job.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> found = Files.walk(classes)) {
      for (Path each : found.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(classes.relativize(each).toString()));
        out.write(Files.readAllBytes(each));
        out.closeEntry();
      }
    }
    return jar;
  }

  /** The file of a class in the examples. */
  static Path example(String name) {
    return Path.of("..", "examples", "java", "com", "example", name + ".java");
  }

  static Path source(Path directory, String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name + ".java"), text);
  }
}

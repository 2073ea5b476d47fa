package io.tidemill.benchmarks.harness;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Command lines for the Java that runs this. */
public final class Java {
  private Java() {}

  /**
   * A command line.
   *
   * @param classPath the class path
   * @param mainClass the main class
   * @param arguments those that start with {@code -} go to the JVM, the others to the program
   */
  public static List<String> command(String classPath, String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Arrays.stream(arguments).filter(a -> a.startsWith("-")).forEach(command::add);
    command.addAll(List.of("-cp", classPath, mainClass));
    Arrays.stream(arguments).filter(a -> !a.startsWith("-")).forEach(command::add);
    return command;
  }
}

package io.tidemill.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the command is started as a process of its own.
 *
 * @param start what comes before the command's arguments
 */
public record Command(List<String> start) {
  /**
   * As from a terminal. A build in the background of a script has SIGINT ignored, which processes
   * inherit, and a JVM that starts like that never hears it. A shell cannot undo that.
   */
  private static final List<String> INTERRUPTIBLE =
      List.of(
          "python3",
          "-IS",
          "-c",
          """
          import os, signal, sys
          # The other two are what Python itself ignores.
          for each in signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ:
              signal.signal(each, signal.SIG_DFL)
          os.execvp(sys.argv[1], sys.argv[1:])
          """);

  public Command {
    start = List.copyOf(start);
  }

  /**
   * As users start it.
   *
   * @param scratch for temporary files, which a killed process leaves behind
   */
  public static Command launcher(Path root, Path scratch) {
    return new Command(
        List.of(
            "env",
            "TIDEMILL_JAVA_OPTIONS=-Djava.io.tmpdir=" + scratch,
            root.resolve("tidemill").toString()));
  }

  /**
   * The same code from the class path of this process, with options for a quick start.
   *
   * @param scratch for temporary files, which a killed process leaves behind
   */
  public static Command classPath(Path scratch) {
    List<String> start = new ArrayList<>();
    start.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    start.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Duser.timezone=UTC",
            "-Dfile.encoding=UTF-8",
            "-Djava.io.tmpdir=" + scratch));
    start.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "io.tidemill.cli.CommandLineMain"));
    return new Command(start);
  }

  /** Starts the command. */
  public CommandRun run(String... arguments) throws IOException {
    return run(List.of(arguments));
  }

  /** Starts the command. */
  public CommandRun run(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(INTERRUPTIBLE);
    command.addAll(start);
    command.addAll(arguments);
    return new CommandRun(new ProcessBuilder(command).redirectErrorStream(true).start());
  }
}

package io.tidemill.cli;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;

/**
 * The same command without Quarkus around it, for starting it from a class path: in tests and from
 * an editor.
 */
public final class CommandLineMain {
  private CommandLineMain() {}

  public static void main(String[] arguments) {
    System.exit(
        execute(
            new PrintWriter(System.out, true, Charset.defaultCharset()),
            new PrintWriter(System.err, true, Charset.defaultCharset()),
            arguments));
  }

  /**
   * Runs the command in this process.
   *
   * @return the exit code
   */
  public static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    return CommandLines.configure(new CommandLine(new TidemillCommand()))
        .setOut(out)
        .setErr(err)
        .execute(arguments);
  }
}

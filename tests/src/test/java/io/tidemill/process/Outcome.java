package io.tidemill.process;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * What a command that ran in this process came to.
 *
 * @param code exit code
 * @param output standard output
 * @param errors standard error
 */
public record Outcome(int code, String output, String errors) {
  /** Runs the command here, which is quicker than in a process of its own. */
  public static Outcome of(String... arguments) {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    PrintStream systemOut = System.out;
    PrintStream systemErr = System.err;
    PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
    PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
    System.setOut(out);
    System.setErr(err);
    try {
      int code =
          io.tidemill.cli.CommandLineMain.execute(
              new PrintWriter(out, true), new PrintWriter(err, true), arguments);
      return new Outcome(code, text(output), text(errors));
    } finally {
      System.setOut(systemOut);
      System.setErr(systemErr);
    }
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Everything that was printed. */
  public String all() {
    return output + errors;
  }
}

package io.tidemill.process;

import io.tidemill.cli.CommandLineMain;
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
          CommandLineMain.execute(
              new PrintWriter(out, true, StandardCharsets.UTF_8),
              new PrintWriter(err, true, StandardCharsets.UTF_8),
              arguments);
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

package io.tidemill.cli;

import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says once, on standard error, what went wrong. */
final class Errors {
  private Errors() {}

  /** Handles what a command throws: its message and fields, with the stack trace if verbose. */
  static int execution(Exception error, CommandLine command, ParseResult parsed) {
    PrintWriter out = command.getErr();
    boolean verbose = command.getCommand() instanceof Verbose v && v.verbose();
    if (error instanceof TidemillException e) {
      out.println("error: " + e.text());
      for (Map.Entry<String, Object> field : e.fields().entrySet()) {
        String value = String.valueOf(field.getValue());
        boolean snippet = field.getKey().equals(TidemillException.SNIPPET);
        out.println(snippet ? value : field(field.getKey(), value));
      }
      trace(error, verbose, out);
      return ExitCode.of(e.code());
    }
    out.println("error: Something failed that should not have: " + error);
    trace(error, verbose, out);
    return ExitCode.FAILED;
  }

  /** Handles a wrong use of the command: what is wrong, and the nearest thing that is right. */
  static int usage(ParameterException error, String[] arguments) {
    CommandLine command = error.getCommandLine();
    PrintWriter out = command.getErr();
    out.println("error: " + message(error, command.getCommandSpec()));
    out.println("'" + command.getCommandSpec().qualifiedName() + " --help' shows what there is.");
    return ExitCode.JOB_INVALID;
  }

  private static String message(ParameterException error, CommandSpec spec) {
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return error.getMessage() + (error.getMessage().endsWith(".") ? "" : ".");
    }
    String first = unmatched.getUnmatched().get(0);
    if (first.startsWith("-")) {
      String name = first.split("=", 2)[0];
      List<String> known = new ArrayList<>();
      spec.options().forEach(option -> known.addAll(List.of(option.names())));
      return "There is no option '" + name + "'." + Nearest.hint(name, known);
    }
    if (spec.subcommands().isEmpty()) {
      return "There is nothing to do with '" + first + "'.";
    }
    return "There is no command '"
        + first
        + "'."
        + Nearest.hint(first, spec.subcommands().keySet());
  }

  private static String field(String name, String value) {
    return value.contains("\n")
        ? "  " + name + ":\n" + value.indent(4).stripTrailing()
        : "  " + name + ": " + value;
  }

  private static void trace(Exception error, boolean verbose, PrintWriter out) {
    if (verbose) {
      error.printStackTrace(out);
    }
  }
}

package io.tidemill.cli;

import picocli.CommandLine;

/**
 * The same command without Quarkus around it, for starting it from a class path: in tests and from
 * an editor.
 */
public final class CommandLineMain {
  private CommandLineMain() {}

  public static void main(String[] arguments) {
    System.exit(CommandLines.configure(new CommandLine(new TidemillCommand())).execute(arguments));
  }
}

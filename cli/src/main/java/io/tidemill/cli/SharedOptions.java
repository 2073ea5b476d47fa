package io.tidemill.cli;

import picocli.CommandLine.Option;

/** The options that every command has. */
final class SharedOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The command line reads it, and shows the help itself.
  private boolean help;

  @Option(names = "--verbose", description = "Show the stack trace of an error.")
  private boolean verbose;

  boolean verbose() {
    return verbose;
  }
}

package io.tidemill.cli;

import picocli.CommandLine.Option;

/** The option that every command has. */
final class VerboseOption {
  @Option(names = "--verbose", description = "Show the stack trace of an error.")
  private boolean on;

  boolean on() {
    return on;
  }
}

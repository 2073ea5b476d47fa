package io.tidemill.cli;

import io.quarkus.picocli.runtime.PicocliCommandLineFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import picocli.CommandLine;

/** Makes the command line that Quarkus runs. */
@ApplicationScoped
final class CommandLines {
  @Produces
  CommandLine commandLine(PicocliCommandLineFactory factory) {
    return configure(factory.create());
  }

  /** The handling of errors that every command has. */
  static CommandLine configure(CommandLine commandLine) {
    return commandLine
        .setExecutionExceptionHandler(Errors::execution)
        .setParameterExceptionHandler(Errors::usage)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}

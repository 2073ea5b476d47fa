package io.tidemill.cli;

import io.quarkus.picocli.runtime.annotations.TopCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command itself. */
@TopCommand
@Command(
    name = "tidemill",
    description = "Runs streaming queries as micro-batches, with nothing running in between.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunCommand.class,
      PlanCommand.class,
      DemoCommand.class,
      LocalAwsCommand.class,
      KafkaCommand.class,
      CheckpointCommand.class
    },
    footer = {
      "",
      "Exit codes: 0 done, 1 query failed, 2 job or usage invalid,",
      "3 checkpoint incompatible, 4 fenced by another run of the same query.",
      "",
      "'tidemill COMMAND --help' explains a command; 'tidemill demo' shows one at work."
    })
final class TidemillCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Shows what there is to whoever names no command. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.JOB_INVALID;
  }
}

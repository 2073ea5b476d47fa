package io.tidemill.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Commands about checkpoints. */
@Command(
    name = "checkpoint",
    description = "Looks at checkpoints.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = CheckpointShowCommand.class)
final class CheckpointCommand implements Callable<Integer>, Verbose {
  @Spec private CommandSpec spec;
  @Mixin private SharedOptions shared;

  /** Shows what there is to whoever names no command. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.JOB_INVALID;
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}

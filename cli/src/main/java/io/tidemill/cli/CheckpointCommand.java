package io.tidemill.cli;

import picocli.CommandLine.Command;

/** Commands about checkpoints. */
@Command(
    name = "checkpoint",
    description = "Looks at checkpoints.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = CheckpointShowCommand.class)
final class CheckpointCommand {}

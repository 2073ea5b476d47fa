/**
 * The {@code tidemill} command: a class per subcommand, {@link io.tidemill.cli.ExitCode} for what
 * it ends with and {@link io.tidemill.cli.ProgressDisplay} for what it shows on the way.
 */
package io.tidemill.cli;

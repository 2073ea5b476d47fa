package io.tidemill.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a job. */
@Command(
    name = "run",
    customSynopsis = {
      "tidemill run [OPTION]... JOB.sql",
      "       tidemill run [OPTION]... --jar FILE [--class NAME]"
    },
    description = {
      "Runs the queries of a job until its trigger says that they are done, or until Ctrl-C.",
      "Ctrl-C and SIGTERM let the batch that runs finish; a second one stops at once. Either way"
          + " the next run carries on where this one ended."
    })
final class RunCommand implements Callable<Integer>, Verbose {
  @Mixin private JobOptions job;
  @Mixin private SharedOptions shared;

  @Option(
      names = "--json",
      description = "Print an object per batch on standard output, with Spark's progress fields.")
  private boolean json;

  @Option(
      names = "--force",
      description = "Take the checkpoint over from a run that still holds it.")
  private boolean force;

  @Override
  public Integer call() throws InterruptedException {
    try (ProgressDisplay display = Displays.onStandardError()) {
      JobTotals totals = new JobTotals(display, json);
      JobRun run = JobRun.stoppedBySignals(display);
      LocalJobs.run(job.request(force), totals, run);
      if (!json) {
        display.say(
            String.format(
                Locale.ROOT,
                "%s after %,d batches: %,d rows read, %,d written.",
                run.signalled() ? "Stopped" : "Done",
                totals.batches(),
                totals.inputRows(),
                totals.outputRows()));
      }
    }
    return ExitCode.DONE;
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}

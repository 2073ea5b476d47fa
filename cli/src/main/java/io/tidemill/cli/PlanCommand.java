package io.tidemill.cli;

import io.tidemill.api.PlannedQuery;
import io.tidemill.local.StandardLocations;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Draws what a job would do. */
@Command(
    name = "plan",
    customSynopsis = {
      "tidemill plan [OPTION]... JOB.sql",
      "       tidemill plan [OPTION]... --jar FILE [--class NAME]"
    },
    description = {
      "Draws the queries of a job without running them: sources, stages and shuffles, state, sinks,"
          + " and the guarantee from end to end. A query that is not legal is refused with the rule"
          + " it breaks."
    })
final class PlanCommand implements Callable<Integer>, Verbose {
  @Spec private CommandSpec spec;
  @Mixin private JobOptions job;
  @Mixin private SharedOptions shared;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (WorkDirectory scratch = WorkDirectory.keptIn(null);
        StandardLocations places = LocalJobs.locations(scratch.path());
        OpenJob open = LocalJobs.open(job.request(false), places.locations())) {
      for (PlannedQuery query : open.queries()) {
        out.println(PlanText.of(query.plan(), open.connectors()));
      }
    }
    out.flush();
    return ExitCode.DONE;
  }

  @Override
  public boolean verbose() {
    return shared.verbose();
  }
}

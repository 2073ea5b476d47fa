package io.tidemill.cli;

import io.tidemill.connectors.Connectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.query.plan.QueryPlan;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Draws what a job would do. */
@Command(
    name = "plan",
    description = {
      "Draws the queries of a job without running them: sources, stages and shuffles, state, sinks,"
          + " and the guarantee from end to end. A query that is not legal is refused with the rule"
          + " it breaks."
    },
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer>, Verbose {
  @Spec private CommandSpec spec;
  @Mixin private JobOptions job;
  @Mixin private VerboseOption verbose;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (WorkDirectory scratch = WorkDirectory.keptIn(null);
        StandardLocations places = LocalJobs.locations(scratch.path())) {
      Connectors connectors = LocalJobs.connectors(places.locations());
      for (QueryPlan plan : LocalJobs.plans(job.request(false), connectors, places.locations())) {
        out.println(PlanText.of(plan, connectors));
      }
    }
    out.flush();
    return ExitCode.DONE;
  }

  @Override
  public boolean verbose() {
    return verbose.on();
  }
}

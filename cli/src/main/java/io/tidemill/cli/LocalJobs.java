package io.tidemill.cli;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalJob;
import io.tidemill.local.LocalQuery;
import io.tidemill.local.StandardConnectors;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.QuerySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Compiles and runs jobs in this process. */
final class LocalJobs {
  /** Sinks of which nothing stays, so that a checkpoint need not stay either. */
  private static final Set<String> PASSING_SINKS = Set.of("console", "memory", "noop");

  private static final Ids IDS = () -> UUID.randomUUID().toString();

  private LocalJobs() {}

  /** The plans of a job, with what the command line replaces. */
  static List<QueryPlan> plans(JobRequest request, Connectors connectors) {
    JobText text = new JobText(request.file().toString(), read(request.file()));
    Variables variables = new Variables(request.variables(), System::getenv);
    return LocalJob.compile(text, variables, connectors).stream()
        .map(plan -> withRequest(plan, request))
        .toList();
  }

  /** The connectors of this process. */
  static Connectors connectors() {
    return StandardConnectors.of(
        InstantSource.system(), IDS, System.out, new MemoryStreams(), new MemoryTables());
  }

  /**
   * Runs every query of a job to its end; throws the error of the first that fails.
   *
   * @param run ends the queries together, and lets others stop them
   */
  static void run(JobRequest request, JobTotals totals, JobRun run) throws InterruptedException {
    Connectors connectors = connectors();
    List<QueryPlan> plans = plans(request, connectors);
    Deque<LocalQuery> open = new ArrayDeque<>();
    try (WorkDirectory scratch = WorkDirectory.keptIn(null)) {
      LocalQuery.Machine machine =
          new LocalQuery.Machine(
              connectors,
              Runtime.getRuntime().availableProcessors(),
              FunctionSettings.STANDARD,
              scratch.path(),
              InstantSource.system(),
              IDS);
      try {
        for (QueryPlan plan : plans) {
          RunSpec spec =
              new RunSpec(
                  plan, OrchestratorSettings.DEFAULT, List.of(totals, run), request.force());
          LocalQuery query = LocalQuery.start(spec, checkpoint(plan, scratch.path()), machine);
          open.push(query);
          run.add(query.run());
        }
        run.await();
      } finally {
        run.requestStop();
        open.forEach(LocalQuery::close);
      }
    }
  }

  private static QueryPlan withRequest(QueryPlan plan, JobRequest request) {
    QuerySettings settings = plan.settings();
    if (request.trigger().isPresent()) {
      settings = settings.withTrigger(request.trigger().get());
    }
    if (request.checkpoint().isPresent()) {
      settings = settings.withCheckpoint(request.checkpoint().get().toString());
    }
    return plan.withSettings(settings);
  }

  /** The folder of one query's checkpoint: below the job's, by the query's name. */
  private static Path checkpoint(QueryPlan plan, Path scratch) {
    String location = plan.settings().checkpoint();
    if (!location.isEmpty()) {
      return Path.of(location).resolve(plan.name());
    }
    if (PASSING_SINKS.contains(plan.sink().connector().connector())) {
      return scratch.resolve("checkpoint").resolve(plan.name());
    }
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The job names no checkpoint, where its progress is kept. Add SET checkpoint = 'DIR',"
                + " or run it with --checkpoint DIR.")
        .with("query", plan.name());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "The job file cannot be read. Check its name.", e)
          .with("file", file);
    }
  }
}

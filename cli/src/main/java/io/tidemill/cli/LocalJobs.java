package io.tidemill.cli;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalJob;
import io.tidemill.local.LocalQuery;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
  static List<QueryPlan> plans(JobRequest request, Connectors connectors, Locations locations) {
    JobText text = new JobText(request.file(), read(request.file(), locations));
    Variables variables = new Variables(request.variables(), System::getenv);
    return LocalJob.compile(text, variables, connectors).stream()
        .map(plan -> withRequest(plan, request))
        .toList();
  }

  /**
   * What this process can open.
   *
   * @param scratch for copies of what is not on this machine
   */
  static StandardLocations locations(Path scratch) {
    return StandardLocations.of(
        System::getenv, scratch.resolve("copies"), InstantSource.system(), IDS);
  }

  /** The connectors of this process. */
  static Connectors connectors(Locations locations) {
    return StandardConnectors.of(
        locations, InstantSource.system(), System.out, new MemoryStreams(), new MemoryTables());
  }

  /**
   * Runs every query of a job to its end; throws the error of the first that fails.
   *
   * @param run ends the queries together, and lets others stop them
   */
  static void run(JobRequest request, JobTotals totals, JobRun run) throws InterruptedException {
    Deque<LocalQuery> open = new ArrayDeque<>();
    try (WorkDirectory scratch = WorkDirectory.keptIn(null);
        StandardLocations places = locations(scratch.path())) {
      Locations locations = places.locations();
      Connectors connectors = connectors(locations);
      List<QueryPlan> plans = plans(request, connectors, locations);
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
          Store checkpoint = locations.store(checkpoint(plan, scratch.path()));
          LocalQuery query = LocalQuery.start(spec, checkpoint, machine);
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
      settings = settings.withCheckpoint(request.checkpoint().get());
    }
    return plan.withSettings(settings);
  }

  /** The location of one query's checkpoint: below the job's, by the query's name. */
  private static String checkpoint(QueryPlan plan, Path scratch) {
    String location = plan.settings().checkpoint();
    if (!location.isEmpty()) {
      return Locations.child(location, plan.name());
    }
    if (PASSING_SINKS.contains(plan.sink().connector().connector())) {
      return scratch.resolve("checkpoint").resolve(plan.name()).toString();
    }
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The job names no checkpoint, where its progress is kept. Add SET checkpoint = 'DIR',"
                + " or run it with --checkpoint DIR.")
        .with("query", plan.name());
  }

  private static String read(String file, Locations locations) {
    if (Locations.scheme(file).isPresent()) {
      return readObject(file, locations);
    }
    try {
      return Files.readString(Locations.path(file));
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static String readObject(String file, Locations locations) {
    int name = file.lastIndexOf('/') + 1;
    try (Blob folder = locations.blob(file.substring(0, name))) {
      return folder
          .get(file.substring(name))
          .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
          .orElseThrow(() -> unreadable(file, null));
    }
  }

  private static TidemillException unreadable(String file, Throwable cause) {
    return new TidemillException(
            ErrorCode.INVALID_OPTION, "The job file cannot be read. Check its name.", cause)
        .with("file", file);
  }
}

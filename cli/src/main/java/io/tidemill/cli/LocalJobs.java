package io.tidemill.cli;

import io.tidemill.api.PlannedQuery;
import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalQuery;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/** Compiles and runs jobs in this process. */
final class LocalJobs {
  private static final Ids IDS = () -> UUID.randomUUID().toString();

  private LocalJobs() {}

  /** Compiles a job, with what the command line replaces. */
  static OpenJob open(JobRequest request, Locations locations) {
    return OpenJob.of(request, locations, InstantSource.system(), IDS);
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

  /**
   * Runs every query of a job to its end; throws the error of the first that fails.
   *
   * @param run ends the queries together, and lets others stop them
   */
  static void run(JobRequest request, JobTotals totals, JobRun run) throws InterruptedException {
    Deque<LocalQuery> open = new ArrayDeque<>();
    try (WorkDirectory scratch = WorkDirectory.keptIn(null);
        StandardLocations places = locations(scratch.path());
        OpenJob job = open(request, places.locations())) {
      LocalQuery.Machine machine =
          new LocalQuery.Machine(
              job.connectors(),
              Runtime.getRuntime().availableProcessors(),
              FunctionSettings.STANDARD,
              scratch.path(),
              InstantSource.system(),
              IDS);
      List<StreamingQueryListener> listeners = new ArrayList<>(List.of(totals, run));
      listeners.addAll(job.listeners());
      try {
        for (PlannedQuery query : job.queries()) {
          RunSpec spec =
              new RunSpec(query.plan(), OrchestratorSettings.DEFAULT, listeners, request.force());
          Store checkpoint = places.locations().store(checkpoint(query, scratch.path()));
          LocalQuery started = LocalQuery.start(spec, checkpoint, machine);
          open.push(started);
          run.add(started.run());
        }
        run.await();
      } finally {
        run.requestStop();
        open.forEach(LocalQuery::close);
      }
    }
  }

  private static String checkpoint(PlannedQuery query, Path scratch) {
    if (query.checkpoint().isPresent()) {
      return query.checkpoint().get();
    }
    if (StandardConnectors.isPassing(query.plan().sink().connector().connector())) {
      return scratch.resolve("checkpoint").resolve(query.plan().name()).toString();
    }
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The job names no checkpoint, where its progress is kept. Add SET checkpoint = 'DIR',"
                + " or run it with --checkpoint DIR.")
        .with("query", query.plan().name());
  }
}

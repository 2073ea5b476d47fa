package io.tidemill.cli;

import io.tidemill.api.JobProgram;
import io.tidemill.api.PlannedQuery;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.local.LocalJob;
import io.tidemill.local.StandardConnectors;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.QuerySettings;
import io.tidemill.storage.Blob;
import io.tidemill.storage.Locations;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * A job whose queries are compiled, with what they must be run with. Close it when they have ended.
 */
final class OpenJob implements AutoCloseable {
  private final List<PlannedQuery> queries;
  private final Connectors connectors;
  private final List<StreamingQueryListener> listeners;
  private final Runnable closing;

  private OpenJob(
      List<PlannedQuery> queries,
      Connectors connectors,
      List<StreamingQueryListener> listeners,
      Runnable closing) {
    this.queries = queries;
    this.connectors = connectors;
    this.listeners = listeners;
    this.closing = closing;
  }

  /** Compiles a job; every mistake in it is an error that says where. */
  static OpenJob of(JobRequest request, Locations locations, InstantSource clock, Ids ids) {
    Variables variables = new Variables(request.variables(), System::getenv);
    if (request.source() instanceof JobSource.ProgramJar jar) {
      return program(jar, variables, request, clock, ids);
    }
    String file = ((JobSource.SqlFile) request.source()).location();
    JobText text = new JobText(file, read(file, locations));
    Connectors connectors =
        StandardConnectors.of(
            locations, clock, System.out, new MemoryStreams(), new MemoryTables());
    List<PlannedQuery> queries =
        LocalJob.compile(text, variables, connectors).stream()
            .map(plan -> new PlannedQuery(plan, named(plan)))
            .map(query -> withRequest(query, request))
            .toList();
    return new OpenJob(queries, connectors, List.of(), () -> {});
  }

  private static OpenJob program(
      JobSource.ProgramJar jar,
      Variables variables,
      JobRequest request,
      InstantSource clock,
      Ids ids) {
    JobProgram program =
        JobProgram.load(
            jar.path(),
            jar.className(),
            new JobProgram.Surroundings(clock, ids, System.out, variables, request.checkpoint()));
    List<PlannedQuery> queries =
        program.queries().stream().map(query -> withRequest(query, request)).toList();
    return new OpenJob(queries, program.connectors(), program.listeners(), program::close);
  }

  private static PlannedQuery withRequest(PlannedQuery query, JobRequest request) {
    QuerySettings settings = query.plan().settings();
    if (request.trigger().isPresent()) {
      settings = settings.withTrigger(request.trigger().get());
    }
    if (request.checkpoint().isEmpty()) {
      return new PlannedQuery(query.plan().withSettings(settings), query.checkpoint());
    }
    QueryPlan plan = query.plan().withSettings(settings.withCheckpoint(request.checkpoint().get()));
    return new PlannedQuery(plan, named(plan));
  }

  /** The location of one query's checkpoint: below the job's, by the query's name. */
  private static Optional<String> named(QueryPlan plan) {
    String location = plan.settings().checkpoint();
    return location.isEmpty()
        ? Optional.empty()
        : Optional.of(Locations.child(location, plan.name()));
  }

  private static String read(String file, Locations locations) {
    if (Locations.scheme(file).isPresent()) {
      return readObject(file, locations);
    }
    return JobFile.text(Locations.path(file));
  }

  private static String readObject(String file, Locations locations) {
    int name = file.lastIndexOf('/') + 1;
    try (Blob folder = locations.blob(file.substring(0, name))) {
      return folder
          .get(file.substring(name))
          .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
          .orElseThrow(
              () ->
                  new TidemillException(ErrorCode.INVALID_OPTION, "There is no such job file.")
                      .with("file", file));
    }
  }

  /** Each with the folder of its checkpoint, if one is named. */
  List<PlannedQuery> queries() {
    return queries;
  }

  Connectors connectors() {
    return connectors;
  }

  /** Those of the job itself. */
  List<StreamingQueryListener> listeners() {
    return listeners;
  }

  @Override
  public void close() {
    closing.run();
  }
}

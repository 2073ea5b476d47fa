package io.tidemill.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalJob;
import io.tidemill.local.LocalQuery;
import io.tidemill.local.StandardConnectors;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.orchestrator.StreamingQueryListener;
import io.tidemill.orchestrator.progress.QueryProgress;
import io.tidemill.orchestrator.progress.StateOperatorProgress;
import io.tidemill.protocol.Ids;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Items;
import io.tidemill.storage.Store;
import io.tidemill.storage.local.LocalPaths;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the steps of a scenario through the whole local path, and says what came out of each. */
final class ScenarioRun implements AutoCloseable {
  private final JsonNode scenario;
  private final Path directory;
  private final MemoryStreams streams = new MemoryStreams();
  private final MemoryTables tables = new MemoryTables();
  private final AtomicLong ids = new AtomicLong();
  private final List<QueryProgress> progress = Collections.synchronizedList(new ArrayList<>());
  private final Optional<Items> items;
  private LocalQuery query;
  private QueryProgress last;

  ScenarioRun(JsonNode scenario, Path directory) {
    this(scenario, directory, Optional.empty());
  }

  /**
   * @param items where state is kept; if empty, in objects
   */
  ScenarioRun(JsonNode scenario, Path directory, Optional<Items> items) {
    this.items = items;
    this.scenario = scenario;
    this.directory = directory;
    scenario
        .path("tables")
        .fields()
        .forEachRemaining(t -> add(t.getKey(), t.getValue().path("rows")));
  }

  /** What a step gave: the rows, and the progress of its batches. */
  record Step(List<Map<String, Object>> output, List<QueryProgress> batches, QueryProgress last) {
    long stateRows() {
      return last == null
          ? 0
          : last.stateOperators().stream().mapToLong(StateOperatorProgress::numRowsTotal).sum();
    }

    long droppedGroups() {
      return batches.stream().mapToLong(Step::droppedGroups).sum();
    }

    static long droppedGroups(QueryProgress batch) {
      return batch.stateOperators().stream()
          .mapToLong(o -> o.customMetrics().getOrDefault("numGroupsDroppedByWatermark", 0L))
          .sum();
    }
  }

  Step step(JsonNode step) throws InterruptedException {
    if (query == null || step.path("restart").asBoolean()) {
      close();
      open();
    }
    boolean complete = scenario.path("mode").asText().equals("complete");
    int before = complete ? 0 : rows().size();
    progress.clear();
    step.path("input").fields().forEachRemaining(i -> add(i.getKey(), i.getValue()));
    query.run().processAllAvailable();
    List<QueryProgress> batches = executed();
    if (!batches.isEmpty()) {
      last = batches.get(batches.size() - 1);
    }
    List<Map<String, Object>> rows = rows();
    List<Map<String, Object>> output =
        complete && batches.isEmpty() ? List.of() : rows.subList(before, rows.size());
    return new Step(output, batches, last);
  }

  private List<QueryProgress> executed() {
    synchronized (progress) {
      return List.copyOf(progress);
    }
  }

  private List<Map<String, Object>> rows() {
    return tables.find("result").map(t -> t.rows()).orElse(List.of());
  }

  private void add(String stream, JsonNode rows) {
    List<JsonNode> list = new ArrayList<>();
    rows.forEach(list::add);
    streams.stream(stream).addData(list);
  }

  private void open() {
    InstantSource clock = InstantSource.system();
    Ids fresh = () -> "id" + ids.incrementAndGet();
    Connectors connectors = StandardConnectors.of(clock, fresh, System.out, streams, tables);
    QueryPlan plan =
        LocalJob.compile(
                new JobText(
                    scenario.path("name").asText(),
                    items.map(i -> "SET state = 'dynamodb';\n").orElse("")
                        + ScenarioJob.text(scenario)),
                Variables.none(),
                connectors)
            .get(0);
    StreamingQueryListener listener =
        new StreamingQueryListener() {
          @Override
          public void onQueryProgress(QueryProgressEvent event) {
            progress.add(event.progress());
          }
        };
    RunSpec spec = new RunSpec(plan, OrchestratorSettings.DEFAULT, List.of(listener), false);
    query =
        LocalQuery.start(
            spec,
            checkpoint(clock, fresh),
            new LocalQuery.Machine(
                connectors,
                1,
                FunctionSettings.STANDARD,
                directory.resolve("scratch"),
                clock,
                fresh));
  }

  private Store checkpoint(InstantSource clock, Ids fresh) {
    Store local = new LocalPaths(fresh, clock).store(directory.resolve("checkpoint").toString());
    return new Store(local.blob(), local.register(), local.records(), items, local.readable());
  }

  @Override
  public void close() throws InterruptedException {
    if (query != null) {
      query.run().stop();
      query.close();
      query = null;
    }
  }
}

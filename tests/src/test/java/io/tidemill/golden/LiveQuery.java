package io.tidemill.golden;

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
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.Json;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * A query that runs on and on. The rows of a step are one file, and a step {@code restart} stops it
 * and starts it again from its checkpoint.
 */
final class LiveQuery implements Steps, StreamingQueryListener {
  private static final String RESTART = "restart";

  private final Job job;
  private final MemoryTables tables = new MemoryTables();
  private final AtomicLong ids = new AtomicLong();
  private final List<Batch> batches = new ArrayList<>();
  private final boolean complete;
  private LocalQuery query;
  private int seenRows;
  private int files;

  LiveQuery(Job job) throws IOException {
    this.job = job;
    this.complete = job.mode().equals("complete");
    Files.createDirectories(job.directory().resolve("in"));
    open();
  }

  private void open() {
    InstantSource clock = InstantSource.system();
    Ids fresh = () -> "id" + ids.incrementAndGet();
    Connectors connectors =
        StandardConnectors.of(clock, fresh, System.out, new MemoryStreams(), tables);
    JobText text = new JobText("job.sql", job.text("connector = 'memory'"));
    QueryPlan plan = LocalJob.compile(text, Variables.none(), connectors).get(0);
    query =
        LocalQuery.start(
            new RunSpec(plan, OrchestratorSettings.DEFAULT, List.of(this), false),
            job.directory().resolve("checkpoint"),
            new LocalQuery.Machine(
                connectors,
                1,
                FunctionSettings.STANDARD,
                job.directory().resolve("scratch"),
                clock,
                fresh));
  }

  @Override
  public synchronized void onQueryProgress(QueryProgressEvent event) {
    List<Map<String, Object>> rows = tables.find("result").orElseThrow().rows();
    List<String> output =
        rows.subList(complete ? 0 : seenRows, rows.size()).stream()
            .map(row -> row.values().stream().map(String::valueOf))
            .map(values -> Times.shortened(values.collect(Collectors.joining(" "))))
            .toList();
    seenRows = rows.size();
    batches.add(Batch.of(Json.tree(event.progress()), output));
  }

  @Override
  public List<Batch> step(List<String> input) throws IOException, InterruptedException {
    List<String> rows = new ArrayList<>(input);
    if (rows.remove(RESTART)) {
      close();
      open();
    }
    if (!rows.isEmpty()) {
      job.add(files++, String.join("\n", rows));
    }
    query.run().processAllAvailable();
    return drain();
  }

  private synchronized List<Batch> drain() {
    List<Batch> drained = List.copyOf(batches);
    batches.clear();
    return drained;
  }

  @Override
  public void close() throws InterruptedException {
    query.run().stop();
    query.close();
  }
}

package io.tidemill.shapes;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.function.TaskRunner;
import io.tidemill.local.InProcessInvoker;
import io.tidemill.local.LocalJob;
import io.tidemill.local.StandardConnectors;
import io.tidemill.orchestrator.LocalOwner;
import io.tidemill.orchestrator.OrchestratorSettings;
import io.tidemill.orchestrator.QueryRun;
import io.tidemill.orchestrator.RunEnvironment;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.Register;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A shape as a streaming query: several available-now runs on one checkpoint, each with more files,
 * and with numbers of functions and shard sizes of its own.
 */
final class ShapeRun {
  private static final int RUNS = 3;
  private static final String SINK = "result";

  private final Shape shape;
  private final Reference reference;
  private final Path directory;
  private final Random random;
  private final List<Dataset> streams;
  private final MemoryTables tables = new MemoryTables();
  private final AtomicLong ids = new AtomicLong();
  private final Ids fresh = () -> "id" + ids.incrementAndGet();
  private final InstantSource clock = InstantSource.system();
  private final Connectors connectors =
      StandardConnectors.of(clock, fresh, System.out, new MemoryStreams(), tables);
  private final List<String> log = new ArrayList<>();
  private final List<Long> batches = new ArrayList<>();
  private final int filesMax;
  private final QueryPlan plan;

  ShapeRun(Shape shape, Reference reference, Path directory) throws IOException {
    this.shape = shape;
    this.reference = reference;
    this.directory = directory;
    this.random = Seed.random(shape.name());
    this.streams = Dataset.ALL.stream().filter(d -> mentions(shape, d.name())).toList();
    this.filesMax = 1 + random.nextInt(4);
    for (Dataset stream : streams) {
      Files.createDirectories(directory.resolve(stream.name()));
    }
    this.plan = plan();
  }

  private static boolean mentions(Shape shape, String name) {
    return (shape.query() + shape.views()).toLowerCase(Locale.ROOT).contains(name);
  }

  /** Runs to the end of the input and gives what the sink got. */
  List<Map<String, Object>> run() throws IOException, InterruptedException {
    int given = 0;
    for (int run = 1; run <= RUNS; run++) {
      int upTo = run == RUNS ? Dataset.FILES : given + 1 + random.nextInt(Dataset.FILES / 2);
      for (Dataset stream : streams) {
        give(stream, given, Math.min(upTo, Dataset.FILES));
        if (run == RUNS && shape.flush()) {
          give(stream, Dataset.FILES, Dataset.FILES + 1);
        }
      }
      given = Math.min(upTo, Dataset.FILES);
      runOnce();
    }
    return tables.find(SINK).map(t -> t.rows()).orElse(List.of());
  }

  /** Columns of the result. */
  Schema output() {
    return plan.output();
  }

  /** Rows read by each batch. */
  List<Long> batches() {
    return List.copyOf(batches);
  }

  /** How it was run, for people who replay it. */
  String log() {
    return String.join("\n", log);
  }

  private void give(Dataset stream, int from, int to) throws IOException {
    Path input = directory.resolve(stream.name());
    for (Path file : reference.files(stream).subList(from, to)) {
      Files.createLink(input.resolve(file.getFileName()), file);
    }
  }

  private void runOnce() throws InterruptedException {
    int parallelism = 1 + random.nextInt(3);
    long wholeBatchRowsMax = random.nextInt(3) == 0 ? 50_000 : 0;
    long shardRows = List.of(1L, 30L, 200L, 100_000L).get(random.nextInt(4));
    log.add(
        parallelism
            + " functions, whole batches up to "
            + wholeBatchRowsMax
            + " rows, shards of "
            + shardRows
            + " rows, "
            + filesMax
            + " files a batch");
    OrchestratorSettings settings = TaskSizes.of(wholeBatchRowsMax, shardRows);
    Path path = directory.resolve("checkpoint");
    Path scratch = directory.resolve("scratch-" + fresh.next());
    LocalOwner owner = LocalOwner.ofThisHost();
    // The power stays on; not to sync is what makes many shapes affordable.
    try (Blob checkpoint = new LocalBlob(path, fresh, clock, Durability.NONE);
        Register register = new ChainRegister(checkpoint);
        InProcessInvoker functions =
            new InProcessInvoker(
                parallelism,
                number ->
                    new TaskRunner(
                        plan,
                        connectors,
                        checkpoint,
                        scratch.resolve("function-" + number),
                        List.of(path),
                        FunctionSettings.STANDARD))) {
      QueryRun run =
          QueryRun.open(
              new RunSpec(plan, settings, List.of(), false),
              new RunEnvironment(
                  connectors, checkpoint, register, functions, clock, fresh, owner.text(), owner));
      run.run();
      run.recentProgress().forEach(p -> batches.add(p.numInputRows()));
      run.exception()
          .ifPresent(
              e -> {
                throw e;
              });
    }
  }

  private QueryPlan plan() {
    StringBuilder job = new StringBuilder();
    for (Dataset stream : streams) {
      job.append("CREATE STREAM " + stream.name() + " (" + stream.ddl())
          .append(", WATERMARK FOR ts AS ts - INTERVAL 10 MINUTES) WITH (connector = 'parquet',")
          .append(" path = " + Sql.text(directory.resolve(stream.name()).toString()))
          .append(", maxFileAge = '100000d', maxFilesPerTrigger = " + filesMax + ");\n");
    }
    Dimensions.COLUMNS.forEach(
        (name, columns) -> {
          if (mentions(shape, name)) {
            job.append("CREATE TABLE " + name + " (" + columns + ") WITH (connector = 'parquet',")
                .append(" path = " + Sql.text(reference.directory(name).toString()) + ");\n");
          }
        });
    job.append("CREATE SINK " + SINK)
        .append(" WITH (connector = 'memory', mode = '" + shape.mode().text() + "');\n")
        .append("SET trigger = 'available-now';\n");
    shape.views().forEach(v -> job.append("CREATE VIEW " + v + ";\n"));
    job.append("INSERT INTO " + SINK + "\n" + shape.query() + ";\n");
    return LocalJob.compile(new JobText(shape.name(), job.toString()), Variables.none(), connectors)
        .get(0);
  }
}

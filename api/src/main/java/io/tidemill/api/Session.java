package io.tidemill.api;

import io.tidemill.api.foreach.BatchFunctions;
import io.tidemill.api.foreach.ForeachBatchConnector;
import io.tidemill.api.rows.RowSet;
import io.tidemill.api.rows.RowSets;
import io.tidemill.api.rows.RowsConnector;
import io.tidemill.api.types.DataType;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.memory.MemoryStreams;
import io.tidemill.connectors.memory.MemoryTable;
import io.tidemill.connectors.memory.MemoryTables;
import io.tidemill.function.FunctionSettings;
import io.tidemill.local.LocalQuery;
import io.tidemill.local.StandardConnectors;
import io.tidemill.local.StandardLocations;
import io.tidemill.local.StaticQueries;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.job.Variables;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where queries begin; Spark calls it SparkSession. Queries run in this process. Thread-safe; close
 * it when all is done.
 */
public final class Session implements AutoCloseable {
  private final Queries queries = new Queries();
  private final MemoryStreams memoryStreams = new MemoryStreams();
  private final MemoryTables memoryTables = new MemoryTables();
  private final RowSets rowSets = new RowSets();
  private final BatchFunctions batchFunctions = new BatchFunctions();
  private final AtomicLong queryNumbers = new AtomicLong();
  private final Settings settings = new Settings();
  private final Map<String, Dataset<Row>> views =
      new ConcurrentSkipListMap<>(String.CASE_INSENSITIVE_ORDER);
  private final ScratchDirectory scratch;
  private final StandardLocations places;
  private final InstantSource clock;
  private final Variables variables;
  private final Connectors connectors;
  private final StaticQueries statics;
  private final StreamingQueries streams;
  private final Launcher launcher;

  /**
   * @param launcher what happens to queries, or empty to run them here
   */
  Session(SessionBuilder builder, Optional<Launcher> launcher) {
    Ids ids = builder.ids();
    this.clock = builder.clock();
    this.variables = builder.variables();
    this.scratch = new ScratchDirectory();
    this.places =
        StandardLocations.of(System::getenv, scratch.path().resolve("copies"), clock, ids);
    this.connectors =
        StandardConnectors.of(
                places.locations(), clock, builder.console(), memoryStreams, memoryTables)
            .with(
                List.of(new RowsConnector(rowSets)),
                List.of(new ForeachBatchConnector(batchFunctions)));
    this.statics = new StaticQueries(connectors, scratch.path().resolve("static"));
    this.streams =
        new StreamingQueries(
            new LocalQuery.Machine(
                connectors,
                builder.parallelism(),
                FunctionSettings.STANDARD,
                scratch.path(),
                clock,
                ids),
            places.locations(),
            launcher.isEmpty());
    this.launcher = launcher.orElseGet(() -> new LocalLauncher(streams, scratch.path(), ids));
    builder.settings().forEach(settings::set);
  }

  public static SessionBuilder builder() {
    return new SessionBuilder(
        InstantSource.system(),
        new RandomIds(),
        standardOutput(),
        new Variables(Map.of(), System::getenv));
  }

  private static PrintStream standardOutput() {
    return System.out;
  }

  Queries queries() {
    return queries;
  }

  Connectors connectors() {
    return connectors;
  }

  MemoryStreams memoryStreams() {
    return memoryStreams;
  }

  BatchFunctions batchFunctions() {
    return batchFunctions;
  }

  Launcher launcher() {
    return launcher;
  }

  long nextQueryNumber() {
    return queryNumbers.incrementAndGet();
  }

  /** Settings for queries started from now on. */
  public Settings conf() {
    return settings;
  }

  /**
   * A value that the program leaves open, as <code>${NAME}</code> does in a job file: what {@code
   * tidemill run --set NAME=VALUE} gives, or else the environment variable of that name.
   *
   * @throws TidemillException INVALID_OPTION if neither is there
   */
  public String variable(String name) {
    return variables
        .value(name)
        .orElseThrow(
            () ->
                new TidemillException(
                        ErrorCode.INVALID_OPTION,
                        "The variable has no value; set it in the environment or with --set"
                            + " NAME=VALUE, or give the program a value to use otherwise.")
                    .with("variable", name));
  }

  /** As above, with a value for when it is not given: <code>${NAME:otherwise}</code>. */
  public String variable(String name, String otherwise) {
    return variables.value(name).orElse(otherwise);
  }

  /** The queries that run. */
  public StreamingQueries streams() {
    return streams;
  }

  /** Starts the description of a stream. */
  public DataStreamReader readStream() {
    return new DataStreamReader(this);
  }

  /** Starts the description of a static table. */
  public DataFrameReader read() {
    return new DataFrameReader(this);
  }

  /** A SELECT in DuckDB's SQL over the session's views and tables. */
  public Dataset<Row> sql(String select) {
    String text = select.strip().replaceFirst(";+$", "");
    Set<String> mentioned = queries.parsing().names(text);
    List<String> names = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    for (String name : mentioned) {
      find(name)
          .ifPresent(
              view -> {
                names.add(name);
                steps.add(view.step());
              });
    }
    return new Dataset<>(this, queries.select(new SqlQuery(text, names, steps)));
  }

  /** A view by its name, or what a query has written to a memory sink so far. */
  public Dataset<Row> table(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new TidemillException(
                        ErrorCode.UNKNOWN_NAME,
                        "There is no view, and no query with a memory sink, of that name."
                            + Nearest.hint(name, new TreeSet<>(views.keySet())))
                    .with("name", name));
  }

  private Optional<Dataset<Row>> find(String name) {
    return Optional.ofNullable(views.get(name))
        .or(() -> memoryTables.find(name).map(this::snapshot));
  }

  private Dataset<Row> snapshot(MemoryTable table) {
    Schema schema = table.schema();
    List<List<Object>> rows = new ArrayList<>();
    for (Map<String, Object> row : table.rows()) {
      List<Object> values = new ArrayList<>();
      schema.names().forEach(n -> values.add(row.get(n)));
      rows.add(values);
    }
    return of(new RowSet(schema, rows));
  }

  void register(String name, Dataset<?> dataset) {
    views.put(name, new Dataset<>(this, dataset.step()));
  }

  /**
   * A static table of given rows.
   *
   * @param schema e.g. {@code id STRING, name STRING}
   */
  public Dataset<Row> createDataFrame(List<Row> rows, String schema) {
    return of(
        new RowSet(
            Loading.columns(DataType.parseColumns(schema)),
            rows.stream().map(Row::toList).toList()));
  }

  private Dataset<Row> of(RowSet rows) {
    return rowsNamed(rowSets.add(rows), rows.schema());
  }

  /** Calls with rows as a dataset, which are forgotten then. */
  void lend(RowSet rows, DatasetUser user) throws Exception {
    String name = rowSets.add(rows);
    try {
      user.use(rowsNamed(name, rows.schema()));
    } finally {
      rowSets.remove(name);
    }
  }

  /** Does something with a dataset. */
  @FunctionalInterface
  interface DatasetUser {
    void use(Dataset<Row> dataset) throws Exception;
  }

  private Dataset<Row> rowsNamed(String name, Schema schema) {
    Relation relation =
        new Relation(
            Optional.empty(),
            false,
            RowsConnector.NAME,
            Map.of(RowsConnector.ROWS, name),
            Schema.EMPTY,
            new ConnectorSchemas.StreamColumns(schema, Schema.EMPTY),
            Optional.empty());
    return new Dataset<>(this, queries.load(relation));
  }

  List<Row> collect(Step step) {
    return queries.collect(step, statics, clock.millis());
  }

  /**
   * Ends the session's queries when their batches are done, and frees what it holds. May be called
   * again.
   */
  @Override
  public void close() {
    launcher.close();
    statics.close();
    queries.close();
    places.close();
    scratch.close();
  }

  public void stop() {
    close();
  }
}

package io.tidemill.function;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceReader;
import io.tidemill.engine.Duck;
import io.tidemill.engine.decode.Decoding;
import io.tidemill.engine.task.TaskEngine;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourceSplit;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.task.SplitAssignment;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads and decodes the sources of one query; readers stay open between tasks. */
final class SourceReading implements AutoCloseable {
  private final QueryPlan plan;
  private final Connectors connectors;
  private final Duck duck;
  private final Scratch scratch;
  private final Map<Integer, Opened> opened = new HashMap<>();

  SourceReading(QueryPlan plan, Connectors connectors, Duck duck, Scratch scratch) {
    this.plan = plan;
    this.connectors = connectors;
    this.duck = duck;
    this.scratch = scratch;
  }

  private record Opened(SourceReader reader, Schema raw, Decoding decoding) {}

  /** A table of dead letters and the sink it is for. */
  record DeadLetters(int sink, String table) {}

  record Read(SourceStats stats, Optional<DeadLetters> deadLetters) {}

  /** Reads the splits of a stage's source; malformed records are handled as the stream says. */
  Read read(TaskEngine engine, Stage stage, List<SplitAssignment> assignments) {
    SourcePlan source = plan.sources().get(stage.source().getAsInt());
    Opened open = opened.computeIfAbsent(source.index(), i -> open(source));
    List<SourceSplit> splits =
        assignments.stream()
            .filter(a -> a.source() == source.index())
            .map(SplitAssignment::split)
            .toList();
    Counted counted = decode(engine, source, open, splits);
    SourceStats stats = counted.stats().withMetrics(counted.counts());
    Optional<DeadLetters> deadLetters = Optional.empty();
    if (stats.malformed() > 0) {
      if (source.malformed() instanceof SourcePlan.Malformed.Fail) {
        throw engine.malformed(source);
      }
      if (source.malformed() instanceof SourcePlan.Malformed.DeadLetter letter) {
        String table = "__dead_" + source.index();
        engine.deadLetters(source, table);
        deadLetters = Optional.of(new DeadLetters(letter.sink(), table));
      }
    }
    return new Read(stats, deadLetters);
  }

  private record Counted(SourceStats stats, Map<String, Long> counts) {}

  private Counted decode(
      TaskEngine engine, SourcePlan source, Opened open, List<SourceSplit> splits) {
    Set<String> columns = open.decoding().rawColumns();
    if (!splits.isEmpty()) {
      Optional<SourceReader.Scan> scan = open.reader().scan(splits, duck.connection(), columns);
      if (scan.isPresent()) {
        try (SourceReader.Scan rows = scan.get()) {
          return new Counted(decodeScan(engine, source, open, rows), rows.counts());
        }
      }
    }
    String raw = "__raw_" + source.index();
    createTable(raw, open.raw(), columns);
    Map<String, Long> counts =
        splits.isEmpty()
            ? Map.of()
            : open.reader().read(splits, duck.connection(), raw, columns, scratch.fresh("task"));
    SourceStats stats = engine.decode(source, open.decoding(), raw);
    duck.drop(raw);
    return new Counted(stats, counts);
  }

  /** A failing source shows itself as a failing statement; what it says itself is better. */
  private static SourceStats decodeScan(
      TaskEngine engine, SourcePlan source, Opened open, SourceReader.Scan rows) {
    try {
      return engine.decode(source, open.decoding(), rows.relation());
    } catch (TidemillException e) {
      throw rows.failure().orElse(e);
    }
  }

  private static Map<String, String> reports(
      Schema raw, Optional<SourceConnector.Payload> payload, boolean deadLetter) {
    Map<String, String> columns = new TreeMap<>();
    columns.put(
        TaskEngine.WHERE,
        payload.map(SourceConnector.Payload::where).orElse("'a row of typed columns'"));
    if (deadLetter) {
      String record = raw.find("value").isPresent() ? "value" : "_record";
      String value =
          raw.find(record)
              .map(
                  c -> c.type().equals("BLOB") ? record : "encode(CAST(" + record + " AS VARCHAR))")
              .orElse("CAST(NULL AS BLOB)");
      columns.put(TaskEngine.VALUE, value);
      columns.put(TaskEngine.KEY, raw.find("key").isPresent() ? "\"key\"" : "CAST(NULL AS BLOB)");
      columns.put(
          TaskEngine.HEADERS,
          raw.find("headers").isPresent()
              ? "\"headers\""
              : "CAST(NULL AS STRUCT(\"key\" VARCHAR, \"value\" BLOB)[])");
      columns.put(
          TaskEngine.TIMESTAMP,
          raw.find("timestamp").isPresent() ? "\"timestamp\"" : "CAST(NULL AS TIMESTAMP)");
    }
    return columns;
  }

  private Opened open(SourcePlan source) {
    Options options = options(source.connector());
    SourceConnector connector = connectors.source(source.connector().connector(), options);
    Schema raw = connector.rawSchema(options, source.declared());
    Optional<SourceConnector.Payload> payload = connector.payload(options);
    boolean deadLetter = source.malformed() instanceof SourcePlan.Malformed.DeadLetter;
    Decoding decoding =
        Decoding.plan(
            raw, source.declared(), payload, source.columns(), reports(raw, payload, deadLetter));
    return new Opened(connector.reader(options, source.declared()), raw, decoding);
  }

  static Options options(ConnectorSpec connector) {
    return new Options(connector.owner(), connector.options(), connector.origins());
  }

  private void createTable(String name, Schema raw, Set<String> columns) {
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + name
            + " "
            + new Schema(raw.columns().stream().filter(c -> columns.contains(c.name())).toList())
                .ddl());
  }

  /** Loads the static tables the query uses; they stay for the life of the instance. */
  void loadTables() {
    StaticTables.load(plan.tables(), connectors, duck, scratch);
  }

  @Override
  public void close() {
    opened.values().forEach(o -> o.reader().close());
  }
}

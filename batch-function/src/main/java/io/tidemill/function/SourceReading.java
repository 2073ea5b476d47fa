package io.tidemill.function;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceReader;
import io.tidemill.engine.Duck;
import io.tidemill.engine.TaskEngine;
import io.tidemill.engine.decode.Decoding;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourceSplit;
import io.tidemill.protocol.source.SourceStats;
import io.tidemill.protocol.task.SplitAssignment;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.TablePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

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

  private record Opened(
      SourceReader reader,
      Schema raw,
      Optional<SourceConnector.Payload> payload,
      Decoding decoding) {}

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
    String raw = TaskEngine.rawTable(source.index());
    createTable(raw, open.raw(), open.decoding().rawColumns());
    Map<String, Long> metrics =
        splits.isEmpty()
            ? Map.of()
            : open.reader()
                .read(
                    splits,
                    duck.connection(),
                    raw,
                    open.decoding().rawColumns(),
                    scratch.fresh("task"));
    TaskEngine.Decoded decoded = engine.decode(source, open.decoding(), metrics);
    Optional<DeadLetters> deadLetters = Optional.empty();
    if (decoded.malformed() > 0) {
      if (source.malformed() instanceof SourcePlan.Malformed.Fail) {
        throw engine.malformed(
            source, open.payload().map(p -> p.where()).orElse("'row ' || r.rowid"));
      }
      if (source.malformed() instanceof SourcePlan.Malformed.DeadLetter letter) {
        String table = "__dead_" + source.index();
        engine.deadLetters(source, letterColumns(open), table);
        deadLetters = Optional.of(new DeadLetters(letter.sink(), table));
      }
    }
    duck.drop(raw);
    return new Read(decoded.stats(), deadLetters);
  }

  private static Map<String, String> letterColumns(Opened open) {
    Schema raw = open.raw();
    String value =
        raw.find("value")
            .map(
                c ->
                    c.type().equals("BLOB")
                        ? "r.\"value\""
                        : "encode(CAST(r.\"value\" AS VARCHAR))")
            .orElse("CAST(NULL AS BLOB)");
    Map<String, String> columns = new TreeMap<>();
    columns.put("position", open.payload().map(p -> p.where()).orElse("'row ' || r.rowid"));
    columns.put("value", value);
    columns.put("key", raw.find("key").isPresent() ? "r.\"key\"" : "CAST(NULL AS BLOB)");
    columns.put(
        "headers",
        raw.find("headers").isPresent()
            ? "r.headers"
            : "CAST(NULL AS STRUCT(\"key\" VARCHAR, \"value\" BLOB)[])");
    columns.put(
        "timestamp",
        raw.find("timestamp").isPresent() ? "r.\"timestamp\"" : "CAST(NULL AS TIMESTAMP)");
    return columns;
  }

  private Opened open(SourcePlan source) {
    Options options = options(source.connector());
    SourceConnector connector = connectors.source(source.connector().connector(), options);
    Schema raw = connector.rawSchema(options, source.declared());
    Optional<SourceConnector.Payload> payload = connector.payload(options);
    Decoding decoding =
        Decoding.plan(
            raw, source.declared(), payload, source.columns(), TaskEngine.rawTable(source.index()));
    Set<String> read = new TreeSet<>(decoding.rawColumns());
    payload.ifPresent(p -> addMentioned(p.where(), raw, read));
    if (source.malformed() instanceof SourcePlan.Malformed.DeadLetter) {
      for (String name : List.of("key", "value", "headers", "timestamp")) {
        raw.find(name).ifPresent(c -> read.add(c.name()));
      }
    }
    return new Opened(
        connector.reader(options, source.declared()),
        raw,
        payload,
        new Decoding(decoding.select(), read));
  }

  private static void addMentioned(String expression, Schema raw, Set<String> read) {
    for (Column column : raw.columns()) {
      if (expression.matches(
          "(?s).*\\b" + java.util.regex.Pattern.quote(column.name()) + "\\b.*")) {
        read.add(column.name());
      }
    }
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
    for (TablePlan table : plan.tables()) {
      Options options = options(table.connector());
      SourceConnector connector = connectors.source(table.connector().connector(), options);
      new StaticTable(connector, options, table, duck, scratch).load();
    }
  }

  @Override
  public void close() {
    opened.values().forEach(o -> o.reader().close());
  }
}

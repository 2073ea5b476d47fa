package io.tidemill.function;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.engine.Duck;
import io.tidemill.engine.decode.Decoding;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.query.plan.TablePlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads a whole source once, as the static side of joins. */
final class StaticTable {
  private final SourceConnector connector;
  private final Options options;
  private final TablePlan table;
  private final Duck duck;
  private final Scratch scratch;

  StaticTable(
      SourceConnector connector, Options options, TablePlan table, Duck duck, Scratch scratch) {
    this.connector = connector;
    this.options = options;
    this.table = table;
    this.duck = duck;
    this.scratch = scratch;
  }

  void load() {
    Schema raw = connector.rawSchema(options, table.declared());
    Optional<SourceConnector.Payload> payload = connector.payload(options);
    Schema columns = table.declared().isEmpty() ? raw : table.declared();
    Set<String> used = new TreeSet<>(columns.names());
    Decoding decoding = Decoding.plan(raw, table.declared(), payload, used, Map.of());
    duck.execute(
        "CREATE OR REPLACE TABLE __raw_table "
            + new Schema(
                    raw.columns().stream()
                        .filter(c -> decoding.rawColumns().contains(c.name()))
                        .toList())
                .ddl());
    read(decoding);
    duck.execute("CREATE OR REPLACE TABLE __decoded AS " + decoding.over("__raw_table"));
    List<Object> wrong =
        duck.row(
            "SELECT "
                + Decoding.ERROR
                + " FROM __decoded WHERE "
                + Decoding.ERROR
                + " IS NOT NULL LIMIT 1");
    if (!wrong.isEmpty()) {
      throw new TidemillException(
              ErrorCode.MALFORMED_RECORD, "A record of a static table is malformed.")
          .with("table", table.name())
          .with("error", wrong.get(0));
    }
    duck.execute(
        "CREATE OR REPLACE TABLE "
            + Sql.name(table.name())
            + " AS SELECT * EXCLUDE ("
            + Decoding.ERROR
            + ") FROM __decoded");
    duck.drop("__decoded");
    duck.drop("__raw_table");
  }

  private void read(Decoding decoding) {
    try (Source source = connector.open(options, table.declared(), new Notes());
        SourceReader reader = connector.reader(options, table.declared())) {
      SourcePosition start = source.initial();
      Source.Range all = source.plan(start, source.latest(start), false, 0);
      if (!all.splits().isEmpty()) {
        reader.read(
            all.splits(),
            duck.connection(),
            "__raw_table",
            decoding.rawColumns(),
            scratch.fresh("table"));
      }
    }
  }

  /** Notes that live as long as the reading. */
  private static final class Notes implements SourceLog {
    private final Map<String, byte[]> notes = new HashMap<>();

    @Override
    public String write(long number, byte[] note) {
      String name = "note-" + notes.size();
      notes.put(name, note);
      return name;
    }

    @Override
    public List<String> upTo(long number) {
      return List.of();
    }

    @Override
    public Optional<byte[]> read(String name) {
      return Optional.ofNullable(notes.get(name));
    }

    @Override
    public void delete(String name) {
      notes.remove(name);
    }
  }
}

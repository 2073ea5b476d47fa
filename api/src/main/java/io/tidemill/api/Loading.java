package io.tidemill.api;

import io.tidemill.api.types.DataType;
import io.tidemill.local.LocalJob;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.plan.ConnectorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a program says of a stream or table before it is loaded. */
final class Loading {
  /** Options of the stream itself, which its connector does not know. */
  private static final List<String> OF_STREAM = List.of("malformed", "deadLetter");

  private final Session session;
  private final boolean isStream;
  private final Options options = new Options();
  private String format = "parquet";
  private Schema declared = Schema.EMPTY;
  private Optional<String> name = Optional.empty();
  private Optional<Relation.DeadLetters> deadLetters = Optional.empty();

  Loading(Session session, boolean isStream) {
    this.session = session;
    this.isStream = isStream;
  }

  Options options() {
    return options;
  }

  void format(String connector) {
    format = connector;
  }

  void name(String given) {
    name = Optional.of(given);
  }

  void deadLetters(Relation.DeadLetters letters) {
    deadLetters = Optional.of(letters);
  }

  void schema(String ddl) {
    declared = session.queries().parsing().canonical(columns(DataType.parseColumns(ddl)));
  }

  /** Columns as the compiler takes them. */
  static Schema columns(DataType.Struct struct) {
    return new Schema(
        struct.fields().stream()
            .map(f -> new Column(f.name(), f.type().sql(), f.required()))
            .toList());
  }

  Dataset<Row> load() {
    ConnectorSchemas schemas = LocalJob.schemas(session.connectors());
    Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    given.putAll(options.values());
    Map<String, String> own = new HashMap<>();
    for (String option : OF_STREAM) {
      if (isStream && given.containsKey(option)) {
        own.put(option, given.remove(option));
      }
    }
    String kind = isStream ? "stream" : "table";
    ConnectorSpec spec =
        schemas.resolve(
            new ConnectorSpec(kind + " of format " + format, format, given, Map.of()), declared);
    ConnectorSchemas.StreamColumns columns =
        isStream
            ? schemas.stream(spec, declared)
            : new ConnectorSchemas.StreamColumns(schemas.table(spec, declared), Schema.EMPTY);
    own.putAll(spec.options());
    return new Dataset<>(
        session,
        session
            .queries()
            .load(new Relation(name, isStream, format, own, declared, columns, deadLetters)));
  }
}

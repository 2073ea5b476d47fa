package io.tidemill.api;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.job.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stream or static table that a program reads.
 *
 * @param name what the program calls it, empty to let the query name it
 * @param connector connector name
 * @param options its options, with what was looked up when it was loaded
 * @param declared its column list, empty for the connector's own
 * @param columns its columns
 * @param deadLetters where malformed records go
 */
record Relation(
    Optional<String> name,
    boolean isStream,
    String connector,
    Map<String, String> options,
    Schema declared,
    ConnectorSchemas.StreamColumns columns,
    Optional<DeadLetters> deadLetters) {
  Relation {
    options = Map.copyOf(options);
  }

  /** A sink for malformed records. */
  record DeadLetters(String connector, Map<String, String> options) {
    DeadLetters {
      options = Map.copyOf(options);
    }
  }

  /** The statements of a job file that say the same. */
  List<Statement> statements(String as, int offset) {
    Map<String, Statement.Option> all =
        new LinkedHashMap<>(Options.statement(connector, options, offset));
    List<Statement> statements = new ArrayList<>();
    deadLetters.ifPresent(
        letters -> {
          String sink = as + "_dead_letters";
          all.put("malformed", new Statement.Option("dead-letter", offset));
          all.put("deadLetter", new Statement.Option(sink, offset));
          statements.add(
              new Statement.CreateSink(
                  sink, Options.statement(letters.connector(), letters.options(), offset), offset));
        });
    statements.add(
        isStream
            ? new Statement.CreateStream(as, declared, Optional.empty(), all, offset)
            : new Statement.CreateTable(as, declared, all, offset));
    return statements;
  }
}

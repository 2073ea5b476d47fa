package io.tidemill.api;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.job.Statement;
import java.util.LinkedHashMap;
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
 */
record Relation(
    Optional<String> name,
    boolean isStream,
    String connector,
    Map<String, String> options,
    Schema declared,
    ConnectorSchemas.StreamColumns columns) {
  Relation {
    options = Map.copyOf(options);
  }

  /** The statement of a job file that says the same. */
  Statement statement(String as, int offset) {
    Map<String, Statement.Option> all = new LinkedHashMap<>();
    options.forEach((option, value) -> all.put(option, new Statement.Option(value, offset)));
    all.put("connector", new Statement.Option(connector, offset));
    return isStream
        ? new Statement.CreateStream(as, declared, Optional.empty(), all, offset)
        : new Statement.CreateTable(as, declared, all, offset);
  }
}

package io.tidemill.connectors.memory;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Optional;

/**
 * The source {@code memory}: reads the {@link MemoryStream} named in the option {@code name}. For
 * tests and the Java API; functions must run in the process that adds the data.
 */
public final class MemorySourceConnector implements SourceConnector {
  private final MemoryStreams streams;

  public MemorySourceConnector(MemoryStreams streams) {
    this.streams = streams;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public void validate(Options options, Schema declared) {
    options.check(List.of("name"));
    options.required("name");
    if (declared.isEmpty()) {
      throw options.invalid("connector", "declared columns for a memory stream");
    }
    MemoryRows.check(declared);
  }

  @Override
  public Schema rawSchema(Options options, Schema declared) {
    return declared;
  }

  @Override
  public Optional<Payload> payload(Options options) {
    return Optional.empty();
  }

  @Override
  public Source open(Options options, Schema declared, SourceLog log) {
    String name = options.required("name");
    return new MemorySource(name, streams.stream(name));
  }

  @Override
  public SourceReader reader(Options options, Schema declared) {
    String name = options.required("name");
    return new MemoryReader(name, streams.stream(name), declared);
  }
}

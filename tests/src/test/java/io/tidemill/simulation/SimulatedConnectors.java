package io.tidemill.simulation;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.connectors.SourceLog;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The connector "simulated" for the one source and the one sink. */
final class SimulatedConnectors {
  static final String NAME = "simulated";

  private SimulatedConnectors() {}

  static Connectors of(SimulatedSource source, SimulatedSink sink) {
    return new Connectors(List.of(new OneSource(source)), List.of(new OneSink(sink)));
  }

  private record OneSource(SimulatedSource source) implements SourceConnector {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void validate(Options options, Schema declared) {}

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
      return source;
    }

    @Override
    public SourceReader reader(Options options, Schema declared) {
      throw new UnsupportedOperationException("simulated functions read by themselves");
    }
  }

  private record OneSink(SimulatedSink sink) implements SinkConnector {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void validate(Options options, Schema rows) {}

    @Override
    public Set<OutputMode> modes() {
      return Set.of(OutputMode.values());
    }

    @Override
    public Guarantee guarantee(Options options) {
      return Guarantee.EXACTLY_ONCE_BY_NAME;
    }

    @Override
    public SinkWriter writer(Options options, Schema rows, SinkContext context) {
      throw new UnsupportedOperationException("simulated functions write by themselves");
    }

    @Override
    public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
      return sink;
    }
  }
}

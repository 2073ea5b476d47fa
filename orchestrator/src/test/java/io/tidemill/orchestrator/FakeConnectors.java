package io.tidemill.orchestrator;

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
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The connector "fake", whose sources and sink are the ones given. */
final class FakeConnectors {
  private FakeConnectors() {}

  static Connectors of(Map<String, FakeSource> sources, FakeSink sink) {
    return new Connectors(List.of(new Sources(sources)), List.of(new Sink(sink)));
  }

  private record Sources(Map<String, FakeSource> sources) implements SourceConnector {
    @Override
    public String name() {
      return "fake";
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
      return sources.get(options.required("name"));
    }

    @Override
    public SourceReader reader(Options options, Schema declared) {
      throw new UnsupportedOperationException("fake functions read by themselves");
    }
  }

  private record Sink(FakeSink sink) implements SinkConnector {
    @Override
    public String name() {
      return "fake";
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
      throw new UnsupportedOperationException("fake functions write by themselves");
    }

    @Override
    public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
      sink.open();
      return sink;
    }
  }
}

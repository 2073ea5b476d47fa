package io.tidemill.local;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.engine.decode.Decoding;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.plan.ConnectorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks the connectors for columns, and checks options on the way. */
final class PlanSchemas implements ConnectorSchemas {
  private final Connectors connectors;

  PlanSchemas(Connectors connectors) {
    this.connectors = connectors;
  }

  @Override
  public ConnectorSpec resolve(ConnectorSpec spec, Schema declared) {
    Options options = options(spec);
    SourceConnector connector = connectors.source(spec.connector(), options);
    connector.validate(options, declared);
    Map<String, String> all = new HashMap<>(spec.options());
    all.putAll(connector.inferred(options, declared));
    return new ConnectorSpec(spec.owner(), spec.connector(), all, spec.origins());
  }

  @Override
  public StreamColumns stream(ConnectorSpec spec, Schema declared) {
    Options options = options(spec);
    SourceConnector connector = connectors.source(spec.connector(), options);
    Schema raw = connector.rawSchema(options, declared);
    Optional<SourceConnector.Payload> payload = connector.payload(options);
    Schema visible = visible(raw, declared, payload);
    List<Column> hidden = new ArrayList<>();
    for (Column column : raw.columns()) {
      boolean isPayload =
          payload.isPresent() && column.name().equalsIgnoreCase(payload.get().column());
      Column named = Column.of(Decoding.hiddenName(column.name()), column.type());
      if (!isPayload && visible.find(named.name()).isEmpty()) {
        hidden.add(named);
      }
    }
    return new StreamColumns(visible, new Schema(hidden));
  }

  @Override
  public Schema table(ConnectorSpec spec, Schema declared) {
    Options options = options(spec);
    SourceConnector connector = connectors.source(spec.connector(), options);
    return visible(connector.rawSchema(options, declared), declared, connector.payload(options));
  }

  private static Schema visible(
      Schema raw, Schema declared, Optional<SourceConnector.Payload> payload) {
    if (!declared.isEmpty()) {
      return declared;
    }
    return payload.isPresent() && payload.get().format().equals("text")
        ? Schema.of("value", "VARCHAR")
        : new Schema(raw.columns().stream().filter(c -> !c.name().startsWith("_")).toList());
  }

  static Options options(ConnectorSpec spec) {
    return new Options(spec.owner(), spec.options(), spec.origins());
  }
}

package io.tidemill.conformance;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.ConnectorSchemas;
import io.tidemill.query.plan.ConnectorSpec;

/** Columns as declared, without any connector. */
final class ScenarioSchemas implements ConnectorSchemas {
  @Override
  public StreamColumns stream(ConnectorSpec connector, Schema declared) {
    return new StreamColumns(declared, Schema.EMPTY);
  }

  @Override
  public Schema table(ConnectorSpec connector, Schema declared) {
    return declared;
  }
}

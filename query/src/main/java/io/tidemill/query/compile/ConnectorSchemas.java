package io.tidemill.query.compile;

import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.ConnectorSpec;

/** What the compiler asks of connectors. Both may raise errors about the connector's options. */
public interface ConnectorSchemas {
  /**
   * The connector with what must be looked up once, when a query is planned, such as the columns of
   * existing files; so that the plan and all functions see the same.
   */
  default ConnectorSpec resolve(ConnectorSpec connector, Schema declared) {
    return connector;
  }

  /**
   * Columns of a stream.
   *
   * @param declared the column list in the job, empty if there is none
   */
  StreamColumns stream(ConnectorSpec connector, Schema declared);

  /** Columns of a static table. */
  Schema table(ConnectorSpec connector, Schema declared);

  /**
   * Columns of a stream.
   *
   * @param visible what {@code SELECT *} gives
   * @param hidden columns that must be named, such as {@code _offset}
   */
  record StreamColumns(Schema visible, Schema hidden) {}
}

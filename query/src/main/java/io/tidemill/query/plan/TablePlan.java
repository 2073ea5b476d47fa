package io.tidemill.query.plan;

import io.tidemill.protocol.schema.Schema;

/**
 * A static table.
 *
 * @param declared its column list, empty to take the connector's
 */
public record TablePlan(String name, ConnectorSpec connector, Schema declared) {}

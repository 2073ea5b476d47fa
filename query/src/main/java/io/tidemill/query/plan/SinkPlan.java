package io.tidemill.query.plan;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;

/**
 * Where rows go.
 *
 * @param rows columns written
 */
public record SinkPlan(String name, ConnectorSpec connector, OutputMode mode, Schema rows) {}

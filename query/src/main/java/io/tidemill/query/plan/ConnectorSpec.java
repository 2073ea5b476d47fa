package io.tidemill.query.plan;

import java.util.Map;

/**
 * A connector with its options as written in the job, variables filled in.
 *
 * @param owner what it belongs to, for messages, e.g. {@code stream orders}
 * @param connector connector name
 * @param options option names and texts, without {@code connector}
 * @param origins where each option stands in the job, e.g. {@code job.sql:3:7}; {@code connector}
 *     is where the connector is named
 */
public record ConnectorSpec(
    String owner, String connector, Map<String, String> options, Map<String, String> origins) {
  public ConnectorSpec {
    options = Map.copyOf(options);
    origins = Map.copyOf(origins);
  }
}

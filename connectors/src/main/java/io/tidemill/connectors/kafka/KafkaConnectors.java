package io.tidemill.connectors.kafka;

import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SourceConnector;

/** Kafka's connectors, to be listed in {@link io.tidemill.connectors.Connectors}. */
public final class KafkaConnectors {
  private KafkaConnectors() {}

  public static SourceConnector source() {
    return new KafkaSourceConnector();
  }

  public static SinkConnector sink() {
    return new KafkaSinkConnector();
  }
}

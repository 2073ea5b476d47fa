package io.tidemill.connectors.kafka;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import java.util.EnumSet;
import java.util.Set;

/** Kafka topics as a sink. Spark 4.2: reference section 1.6, but without duplicates. */
final class KafkaSinkConnector implements SinkConnector {
  @Override
  public String name() {
    return "kafka";
  }

  @Override
  public void validate(Options options, Schema rows) {
    SinkSettings.of(options).checkColumns(options, rows);
  }

  /** In complete mode the whole result is sent again with every batch. */
  @Override
  public Set<OutputMode> modes() {
    return EnumSet.allOf(OutputMode.class);
  }

  @Override
  public Guarantee guarantee(Options options) {
    return SinkSettings.of(options).exactlyOnce()
        ? Guarantee.EXACTLY_ONCE_BY_TRANSACTION
        : Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public SinkWriter writer(Options options, Schema rows, SinkContext context) {
    return new KafkaSinkWriter(SinkSettings.of(options), rows, context);
  }

  @Override
  public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
    return new KafkaSinkPublisher(SinkSettings.of(options), context);
  }
}

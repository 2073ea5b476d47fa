package io.tidemill.connectors.kafka;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/** Sends batches without transactions: a batch that is published again is sent again. */
final class RepeatableDelivery implements Delivery {
  private static final Duration CLOSE = Duration.ofSeconds(5);

  private final SinkSettings settings;
  private final Producer<byte[], byte[]> producer;

  RepeatableDelivery(SinkSettings settings) {
    this.settings = settings;
    this.producer = RowSender.producer(settings, settings.client());
  }

  @Override
  public void send(BatchMarker batch, Rows rows) {
    try {
      new RowSender(settings, producer).sendAll(rows);
    } catch (KafkaException e) {
      throw RowSender.error(settings, e);
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }
}

package io.tidemill.lambda.handler.kafka;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Loads Kafka's client without talking to a broker. */
public final class KafkaPriming {
  /** Nobody listens there, and nothing is sent: a consumer connects when it polls. */
  private static final String NOWHERE = "127.0.0.1:9";

  private KafkaPriming() {}

  /** Constructs a consumer and closes it. */
  public static void construct() {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", NOWHERE),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.close(Duration.ZERO);
    }
  }
}

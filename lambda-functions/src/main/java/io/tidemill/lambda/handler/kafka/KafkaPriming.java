package io.tidemill.lambda.handler.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Goes through Kafka's clients up to where a broker would answer. */
public final class KafkaPriming {
  /** Nobody listens there. */
  private static final String NOWHERE = "127.0.0.1:9";

  /** Long enough for the client to find that out. */
  private static final Duration POLL = Duration.ofMillis(100);

  private KafkaPriming() {}

  /** Asks nobody for records and for a topic. */
  public static void ask() {
    Map<String, Object> nowhere = Map.of("bootstrap.servers", NOWHERE);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(nowhere, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(new TopicPartition("none", 0)));
      consumer.poll(POLL);
      consumer.close(Duration.ZERO);
    }
    try (Admin admin = Admin.create(nowhere)) {
      var unused = admin.describeTopics(List.of("none"));
      admin.close(Duration.ZERO);
    }
  }
}

package io.tidemill.crash;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic from its first to its last record, with nothing but Kafka's own client. */
public final class TopicReader {
  private static final Duration POLL = Duration.ofSeconds(1);

  private TopicReader() {}

  /**
   * Reads it.
   *
   * @param isolation {@code read_committed} or {@code read_uncommitted}
   */
  public static void read(
      String servers,
      String topic,
      String isolation,
      Consumer<ConsumerRecord<String, String>> reader) {
    Map<String, Object> client = Map.of("bootstrap.servers", servers, "isolation.level", isolation);
    StringDeserializer text = new StringDeserializer();
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(client, text, text)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = ends(servers, partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(POLL).forEach(reader);
      }
    }
  }

  /**
   * The ends as writers see them. A reader of committed records is told an earlier one for a moment
   * after the commit, until the brokers have marked the transaction on each partition.
   */
  private static Map<TopicPartition, Long> ends(String servers, List<TopicPartition> partitions) {
    StringDeserializer text = new StringDeserializer();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(Map.of("bootstrap.servers", servers), text, text)) {
      return consumer.endOffsets(partitions);
    }
  }
}

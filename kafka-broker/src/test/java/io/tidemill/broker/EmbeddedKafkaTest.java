package io.tidemill.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {
  @TempDir Path directory;

  @Test
  void recordsAndTransactionsSurviveARestartOnTheSameDirectory() throws Exception {
    try (EmbeddedKafka broker = EmbeddedKafka.start(directory, 0)) {
      broker.createTopic("orders", 2);
      try (Producer<String, String> producer = producer(broker)) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("orders", 1, 1_000L, "k", "years old")).get();
        producer.commitTransaction();
      }
    }
    try (EmbeddedKafka broker = EmbeddedKafka.start(directory, 0)) {
      assertThat(values(broker, new TopicPartition("orders", 1))).containsExactly("years old");
    }
  }

  @Test
  void leadersOfANewTopicTakeRecordsWithoutASecondTry() throws Exception {
    try (EmbeddedKafka broker = EmbeddedKafka.start();
        Producer<String, String> producer =
            new KafkaProducer<>(
                Map.of(
                    "bootstrap.servers",
                    broker.bootstrapServers(),
                    "enable.idempotence",
                    false,
                    "retries",
                    0),
                new StringSerializer(),
                new StringSerializer())) {
      for (int topic = 0; topic < 40; topic++) {
        broker.createTopic("t" + topic, 3);
        for (int partition = 0; partition < 3; partition++) {
          producer.send(new ProducerRecord<>("t" + topic, partition, "k", "v")).get();
        }
      }
    }
  }

  @Test
  void closeLeavesNoThreadThatKeepsTheProcessAlive() {
    Set<Thread> before = userThreads();
    EmbeddedKafka broker = EmbeddedKafka.start();
    broker.createTopic("t", 1);
    assertThat(userThreads()).isNotEqualTo(before);
    broker.close();
    broker.close();
    Set<Thread> left = userThreads();
    left.removeAll(before);
    assertThat(left).isEmpty();
  }

  @Test
  void takenPortIsNamed() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("localhost"))) {
      assertThatThrownBy(() -> EmbeddedKafka.start(directory, taken.getLocalPort()))
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION);
                assertThat(e.fields()).containsEntry("port", taken.getLocalPort());
              });
    }
  }

  @Test
  void moreListenersTakeClientsBesideThePlainOne() throws Exception {
    Map<String, String> protocols =
        Map.of(
            "listener.security.protocol.map",
            "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,OTHER:PLAINTEXT");
    try (EmbeddedKafka broker = EmbeddedKafka.start(protocols, Set.of("OTHER"));
        Producer<String, String> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers("OTHER")),
                new StringSerializer(),
                new StringSerializer())) {
      assertThat(broker.bootstrapServers("OTHER")).isNotEqualTo(broker.bootstrapServers());
      broker.createTopic("t", 1);
      producer.send(new ProducerRecord<>("t", "by the other")).get();
      assertThat(values(broker, new TopicPartition("t", 0))).containsExactly("by the other");
      assertThatThrownBy(() -> broker.bootstrapServers("OTHERS"))
          .hasMessageContaining("Did you mean 'OTHER'?");
    }
  }

  private static Set<Thread> userThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> !t.isDaemon())
        .collect(Collectors.toSet());
  }

  private static Producer<String, String> producer(EmbeddedKafka broker) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", "t"),
        new StringSerializer(),
        new StringSerializer());
  }

  /** Committed records up to where writers are: those of committed alone may be seen later. */
  private static List<String> values(EmbeddedKafka broker, TopicPartition partition) {
    List<String> values = new ArrayList<>();
    List<TopicPartition> all = List.of(partition);
    try (Consumer<String, String> consumer = consumer(broker, "read_committed");
        Consumer<String, String> everything = consumer(broker, "read_uncommitted")) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      long end = everything.endOffsets(all).get(partition);
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofSeconds(5))) {
          values.add(r.value());
        }
      }
    }
    return values;
  }

  private static Consumer<String, String> consumer(EmbeddedKafka broker, String isolation) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", isolation),
        new StringDeserializer(),
        new StringDeserializer());
  }
}

package io.tidemill.connectors.kafka;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.connectors.Options;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A real broker for all test classes of a run, with topics of fresh names. */
final class Broker implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final EmbeddedKafka kafka =
      EmbeddedKafka.start(
          Map.of(
              "log.cleaner.backoff.ms",
              "50",
              "log.initial.task.delay.ms",
              "0",
              "auto.create.topics.enable",
              "false"));
  private final Admin admin = Admin.create(Map.of("bootstrap.servers", servers()));
  private final AtomicInteger topics = new AtomicInteger();

  /** Gives the broker to test methods that have it as a parameter. */
  static final class Extension implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Broker.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(Broker.class))
          .computeIfAbsent(Broker.class, key -> new Broker(), Broker.class);
    }
  }

  String servers() {
    return kafka.bootstrapServers();
  }

  Admin admin() {
    return admin;
  }

  String topic(int partitions) {
    return topic(partitions, Map.of());
  }

  String topic(int partitions, Map<String, String> settings) {
    String name = "topic_" + topics.incrementAndGet();
    kafka.createTopic(name, partitions, settings);
    return name;
  }

  void create(String name, int partitions) {
    kafka.createTopic(name, partitions);
  }

  void addPartitions(String topic, int total) {
    await(admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total))).all());
    until(() -> partitions(topic) == total);
    Map<TopicPartition, OffsetSpec> ends = new LinkedHashMap<>();
    IntStream.range(0, total)
        .forEach(p -> ends.put(new TopicPartition(topic, p), OffsetSpec.latest()));
    await(admin.listOffsets(ends).all());
  }

  private int partitions(String topic) {
    return await(admin.describeTopics(List.of(topic)).allTopicNames())
        .get(topic)
        .partitions()
        .size();
  }

  void delete(String topic) {
    await(admin.deleteTopics(List.of(topic)).all());
    until(() -> !await(admin.listTopics().names()).contains(topic));
  }

  /** Removes the records before an offset, as retention does. */
  void expire(String topic, int partition, long before) {
    await(
        admin
            .deleteRecords(
                Map.of(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(before)))
            .all());
  }

  /** Options of a stream over the topic, with more names and values. */
  Options options(String topic, String... more) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("kafka.bootstrap.servers", servers());
    options.put("subscribe", topic);
    options.put("startingOffsets", "earliest");
    options.put("fetchOffset.retryIntervalMs", "20");
    for (int i = 0; i < more.length; i += 2) {
      if (more[i + 1] == null) {
        options.remove(more[i]);
      } else {
        options.put(more[i], more[i + 1]);
      }
    }
    return Options.of("stream orders", options);
  }

  void send(String topic, int partition, String... values) {
    try (Producer<String, byte[]> producer = producer(Map.of())) {
      for (String value : values) {
        await(producer, record(topic, partition, value));
      }
    }
  }

  /** Sends values with timestamps: time, value, time, value. */
  void sendAt(String topic, int partition, Object... timesAndValues) {
    try (Producer<String, byte[]> producer = producer(Map.of())) {
      for (int i = 0; i < timesAndValues.length; i += 2) {
        long millis = ((Number) timesAndValues[i]).longValue();
        byte[] value = timesAndValues[i + 1].toString().getBytes(StandardCharsets.UTF_8);
        await(producer, new ProducerRecord<>(topic, partition, millis, "k", value));
      }
    }
  }

  static ProducerRecord<String, byte[]> record(String topic, int partition, String value) {
    return new ProducerRecord<>(
        topic, partition, null, value, value.getBytes(StandardCharsets.UTF_8));
  }

  Producer<String, byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all = new LinkedHashMap<>(settings);
    all.put("bootstrap.servers", servers());
    all.put("linger.ms", 0);
    return new KafkaProducer<>(all, new StringSerializer(), new ByteArraySerializer());
  }

  /** Waits until something that Kafka does in the background has happened. */
  static void until(BooleanSupplier happened) {
    long start = System.nanoTime();
    while (!happened.getAsBoolean()) {
      // This thread may have stood still since it looked.
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        if (happened.getAsBoolean()) {
          return;
        }
        throw new AssertionError("Kafka did not do it within " + PATIENCE);
      }
      Thread.onSpinWait();
    }
  }

  static <T> void await(Producer<String, T> producer, ProducerRecord<String, T> record) {
    await(producer.send(record));
  }

  static <T> T await(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** All committed records of a topic. */
  List<ConsumerRecord<byte[], byte[]>> committed(String topic, int partitions) {
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList();
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = consumer("read_committed");
        Consumer<byte[], byte[]> everything = consumer("read_uncommitted")) {
      consumer.assign(all);
      consumer.seekToBeginning(all);
      // The last record of a transaction is followed by its marker, which may still be under way.
      Map<TopicPartition, Long> ends = everything.endOffsets(all);
      until(
          () -> {
            consumer.poll(Duration.ofMillis(50)).forEach(records::add);
            return all.stream().allMatch(p -> consumer.position(p) >= ends.get(p));
          });
    }
    return records;
  }

  private Consumer<byte[], byte[]> consumer(String isolation) {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", servers(), "isolation.level", isolation),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    admin.close();
    kafka.close();
  }
}

package io.tidemill.benchmarks.revenue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic to its end with two threads and does nothing with it: the limit of any engine. */
final class DrainMain {
  private static final int THREADS = 2;
  private static final Duration POLL = Duration.ofMillis(200);

  private DrainMain() {}

  /** Arguments: bootstrap servers, topic. Prints records and bytes read. */
  public static void main(String[] arguments) throws InterruptedException, ExecutionException {
    ExecutorService executor = Executors.newFixedThreadPool(THREADS);
    List<Future<long[]>> parts = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int index = thread;
      parts.add(executor.submit(() -> drain(arguments[0], arguments[1], index)));
    }
    long records = 0;
    long bytes = 0;
    for (Future<long[]> part : parts) {
      records += part.get()[0];
      bytes += part.get()[1];
    }
    executor.shutdown();
    System.out.println(records + " " + bytes);
  }

  private static long[] drain(String bootstrapServers, String topic, int thread) {
    Map<String, Object> config =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG,
            ByteArrayDeserializer.class,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            10_000,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            4 << 20,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    long records = 0;
    long bytes = 0;
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(config)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .filter(p -> p.partition() % THREADS == thread)
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        for (ConsumerRecord<byte[], byte[]> row : consumer.poll(POLL)) {
          records++;
          bytes += row.value().length;
        }
      }
    }
    return new long[] {records, bytes};
  }
}

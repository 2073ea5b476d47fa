package io.tidemill.connectors.kafka;

import io.tidemill.broker.EmbeddedKafka;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SourceReader;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourceSplit;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.duckdb.DuckDBConnection;

/**
 * How fast records of four partitions get into two DuckDB instances, beside what the client alone
 * can do. Not a test; run its main with the arguments {@code [servers] records rounds}. Without
 * servers it starts a broker in the same process.
 */
public final class KafkaReadBenchmark {
  private static final String TOPIC = "benchmark_orders";
  private static final int PARTITIONS = 4;
  private static final int READERS = 2;
  private static final Set<String> ALL =
      Set.of("key", "value", "topic", "partition", "offset", "timestamp", "timestampType");

  private final String servers;
  private final long records;

  private KafkaReadBenchmark(String servers, long records) {
    this.servers = servers;
    this.records = records;
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 3) {
      run(args[0], Long.parseLong(args[1]), Integer.parseInt(args[2]), false);
      return;
    }
    Path directory = Files.createTempDirectory("tidemill-benchmark");
    try (EmbeddedKafka broker = EmbeddedKafka.start(directory, 0)) {
      run(broker.bootstrapServers(), Long.parseLong(args[0]), Integer.parseInt(args[1]), true);
    }
  }

  private static void run(String servers, long records, int rounds, boolean produce)
      throws Exception {
    KafkaReadBenchmark benchmark = new KafkaReadBenchmark(servers, records);
    if (produce) {
      benchmark.produce();
    }
    for (int round = 0; round < rounds; round++) {
      benchmark.time("client alone", benchmark::drain);
      benchmark.time("row-by-row appender, value", benchmark::append);
      benchmark.time("table, value", r -> benchmark.table(r, Set.of("value")));
      benchmark.time("scan, value", r -> benchmark.scan(r, Set.of("value")));
      Set<String> place = Set.of("value", "partition", "offset");
      benchmark.time("table, value+partition+offset", r -> benchmark.table(r, place));
      benchmark.time("scan, value+partition+offset", r -> benchmark.scan(r, place));
      benchmark.time("table, all", r -> benchmark.table(r, ALL));
      benchmark.time("scan, all", r -> benchmark.scan(r, ALL));
    }
  }

  private interface Reading {
    long read(List<SourceSplit> splits) throws Exception;
  }

  private void time(String name, Reading reading) throws Exception {
    ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
    ExecutorService threads = Executors.newFixedThreadPool(READERS);
    try {
      long start = System.nanoTime();
      List<Future<long[]>> results = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        List<SourceSplit> splits = new ArrayList<>();
        for (int p = reader; p < PARTITIONS; p += READERS) {
          splits.add(new KafkaRange(TOPIC, p, 0, records / PARTITIONS).split());
        }
        results.add(
            threads.submit(() -> new long[] {reading.read(splits), cpu.getCurrentThreadCpuTime()}));
      }
      long bytes = 0;
      long cpuNanos = 0;
      for (Future<long[]> result : results) {
        bytes += result.get()[0];
        cpuNanos += result.get()[1];
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "%-32s %6.2f s %6.0f k rows/s, %4.0f ns of processor a row, %d bytes of value%n",
          name,
          seconds,
          records / seconds / 1_000,
          (double) cpuNanos / records,
          bytes);
    } finally {
      threads.shutdown();
    }
  }

  private void produce() {
    Random random = new Random(42);
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            servers,
            "compression.type",
            "lz4",
            "batch.size",
            1 << 17,
            "linger.ms",
            20);
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (long i = 0; i < records; i++) {
        String customer = "c" + random.nextInt(20_000);
        String value =
            "{\"order_id\":\"o-%d-%x\",\"customer_id\":\"%s\",\"amount\":\"%d.%02d\",\"event_time\":\"%s\",\"note\":\"x%d\"}"
                .formatted(
                    i,
                    random.nextLong(),
                    customer,
                    random.nextInt(1_000),
                    random.nextInt(100),
                    java.time.Instant.ofEpochMilli(1_700_000_000_000L + i * 10),
                    random.nextInt(1_000_000));
        var unused =
            producer.send(
                new ProducerRecord<>(
                    TOPIC,
                    (int) (i % PARTITIONS),
                    1_700_000_000_000L + i * 10,
                    customer.getBytes(StandardCharsets.UTF_8),
                    value.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  private Options options() {
    return Options.of(
        "stream orders", Map.of("kafka.bootstrap.servers", servers, "subscribe", TOPIC));
  }

  private SourceReader reader() {
    return KafkaConnectors.source().reader(options(), Schema.EMPTY);
  }

  private Consumer<byte[], byte[]> consumer(List<KafkaRange> ranges) {
    Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                servers,
                "max.poll.records",
                16_384,
                "max.partition.fetch.bytes",
                4 << 20),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(ranges.stream().map(KafkaRange::topicPartition).toList());
    consumer.seekToBeginning(consumer.assignment());
    return consumer;
  }

  private long drain(List<SourceSplit> splits) {
    List<KafkaRange> ranges = splits.stream().map(KafkaRange::of).toList();
    long bytes = 0;
    try (Consumer<byte[], byte[]> consumer = consumer(ranges)) {
      long left = ranges.stream().mapToLong(KafkaRange::size).sum();
      while (left > 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
          bytes += record.value().length;
          left--;
        }
      }
    }
    return bytes;
  }

  private long append(List<SourceSplit> splits) throws SQLException {
    List<KafkaRange> ranges = splits.stream().map(KafkaRange::of).toList();
    try (Consumer<byte[], byte[]> consumer = consumer(ranges);
        DuckDBConnection db = open();
        Statement statement = db.createStatement()) {
      statement.execute("CREATE TABLE t (value BLOB)");
      long left = ranges.stream().mapToLong(KafkaRange::size).sum();
      try (var appender = db.createAppender("t")) {
        while (left > 0) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofSeconds(1))) {
            appender.beginRow().append(record.value()).endRow();
            left--;
          }
        }
      }
      return bytes(statement, "t");
    }
  }

  private long table(List<SourceSplit> splits, Set<String> columns) throws SQLException {
    try (SourceReader reader = reader();
        DuckDBConnection db = open();
        Statement statement = db.createStatement()) {
      Schema schema = KafkaConnectors.source().rawSchema(options(), Schema.EMPTY);
      Schema wanted =
          new Schema(schema.columns().stream().filter(c -> columns.contains(c.name())).toList());
      statement.execute("CREATE TABLE t " + wanted.ddl());
      reader.read(splits, db, "t", columns, Path.of("unused"));
      return bytes(statement, "t");
    }
  }

  private long scan(List<SourceSplit> splits, Set<String> columns) throws SQLException {
    try (SourceReader reader = reader();
        DuckDBConnection db = open();
        Statement statement = db.createStatement();
        SourceReader.Scan scan = reader.scan(splits, db, columns).orElseThrow()) {
      return bytes(statement, scan.relation());
    }
  }

  private static DuckDBConnection open() throws SQLException {
    DuckDBConnection db =
        DriverManager.getConnection("jdbc:duckdb:").unwrap(DuckDBConnection.class);
    try (Statement statement = db.createStatement()) {
      statement.execute("SET threads = 1");
    }
    return db;
  }

  private static long bytes(Statement statement, String relation) throws SQLException {
    try (ResultSet result =
        statement.executeQuery("SELECT sum(octet_length(value)) FROM " + relation)) {
      result.next();
      return result.getLong(1);
    }
  }
}

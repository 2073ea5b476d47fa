package io.tidemill.demo;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Fills a topic with orders and says what they come to. */
public final class OrdersProducer {
  private static final int THREADS_MAX = 2;
  private static final int PROGRESS_EVERY_RECORDS = 50_000;

  private final String bootstrapServers;
  private final String topic;

  public OrdersProducer(String bootstrapServers, String topic) {
    this.bootstrapServers = bootstrapServers;
    this.topic = topic;
  }

  /**
   * Creates the topic and writes every record of the settings to it, exactly once, each partition
   * in its order.
   *
   * @param progress told now and then how many records were sent so far; called from several
   *     threads, one at a time
   * @throws TidemillException SINK_UNAVAILABLE if the broker does not take them
   */
  public ExpectedRevenue produce(OrdersSettings settings, LongConsumer progress) {
    return produce(settings, PROGRESS_EVERY_RECORDS, progress);
  }

  /**
   * The same, with progress told more or less often.
   *
   * @param everyRecords records that a thread sends between two calls of progress
   * @param progress as above; sending goes on when it returns, so it may also set the pace
   */
  public ExpectedRevenue produce(OrdersSettings settings, int everyRecords, LongConsumer progress) {
    createTopic(settings.partitions());
    OrderTotals totals = new OrderTotals(settings.customers());
    for (OrderTotals part : send(settings, new Progress(everyRecords, progress))) {
      totals.merge(part);
    }
    return totals.expected();
  }

  private void createTopic(int partitions) {
    Map<String, Object> config =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers);
    try (Admin admin = Admin.create(config)) {
      // Event times are historic, and retention goes by them where a client sets them.
      NewTopic orders =
          new NewTopic(topic, Optional.of(partitions), Optional.of((short) 1))
              .configs(Map.of("retention.ms", "-1"));
      admin.createTopics(List.of(orders)).all().get();
    } catch (ExecutionException e) {
      throw unavailable(e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private List<OrderTotals> send(OrdersSettings settings, Progress sent) {
    int threads = Math.min(THREADS_MAX, settings.partitions());
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(config())) {
      List<Future<List<OrderTotals>>> parts = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int first = thread;
        parts.add(executor.submit(() -> sendPartitions(producer, settings, first, threads, sent)));
      }
      List<OrderTotals> totals = new ArrayList<>();
      for (Future<List<OrderTotals>> part : parts) {
        totals.addAll(part.get());
      }
      return totals;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof TidemillException t ? t : unavailable(e.getCause());
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      executor.shutdownNow();
    }
  }

  private List<OrderTotals> sendPartitions(
      KafkaProducer<byte[], byte[]> producer,
      OrdersSettings settings,
      int first,
      int step,
      Progress sent) {
    List<PartitionOrders> orders = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int partition = first; partition < settings.partitions(); partition += step) {
      orders.add(new PartitionOrders(settings, partition));
      numbers.add(partition);
    }
    AtomicReference<Exception> failure = new AtomicReference<>();
    boolean more = true;
    int unreported = 0;
    while (more) {
      more = false;
      for (int i = 0; i < orders.size(); i++) {
        PartitionOrders partition = orders.get(i);
        if (partition.hasNext()) {
          more = true;
          unreported++;
          send(producer, numbers.get(i), partition.next(), failure);
        }
      }
      if (unreported >= sent.everyRecords || (!more && unreported > 0)) {
        sent.add(unreported);
        unreported = 0;
        refuse(failure.get());
      }
    }
    producer.flush();
    refuse(failure.get());
    return orders.stream().map(PartitionOrders::totals).toList();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback learns what the future would.
  private void send(
      KafkaProducer<byte[], byte[]> producer,
      int partition,
      byte[] value,
      AtomicReference<Exception> failure) {
    producer.send(
        new ProducerRecord<>(topic, partition, null, value),
        (metadata, e) -> {
          if (e != null) {
            failure.compareAndSet(null, e);
          }
        });
  }

  private Map<String, Object> config() {
    return Map.of(
        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
        bootstrapServers,
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
        ByteArraySerializer.class,
        ProducerConfig.COMPRESSION_TYPE_CONFIG,
        "lz4",
        ProducerConfig.LINGER_MS_CONFIG,
        50,
        ProducerConfig.BATCH_SIZE_CONFIG,
        512 * 1024,
        // The leaders of a new topic may not serve yet. Of several requests in flight the first
        // could be refused and the last taken, and the first would then never find its place.
        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
        1,
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        64L * 1024 * 1024);
  }

  private void refuse(Exception failure) {
    if (failure != null) {
      throw unavailable(failure);
    }
  }

  private TidemillException unavailable(Throwable cause) {
    return new TidemillException(
            ErrorCode.SINK_UNAVAILABLE,
            "The broker did not take the orders. Check that it runs and that the topic is new.",
            cause)
        .with("bootstrapServers", bootstrapServers)
        .with("topic", topic);
  }

  private static TidemillException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new TidemillException(
        ErrorCode.SINK_UNAVAILABLE, "Producing orders was interrupted before it was done.", e);
  }

  /** Adds up what the threads sent. */
  private static final class Progress {
    private final int everyRecords;
    private final LongConsumer listener;
    private long sent;

    Progress(int everyRecords, LongConsumer listener) {
      this.everyRecords = everyRecords;
      this.listener = listener;
    }

    synchronized void add(long records) {
      sent += records;
      listener.accept(sent);
    }
  }
}

package io.tidemill.crash;

import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.demo.OrdersProducer;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** Orders that come in while the query is killed. */
final class Production implements AutoCloseable {
  private static final int PACED_EVERY_RECORDS = 200;

  /** An order after which the watermark has passed the windows of all others. */
  private static final String LAST_ORDER =
      "{\"order_id\":\"last\",\"customer_id\":\"c-00000\",\"amount\":1.00,"
          + "\"event_time\":\"2099-01-01T00:00:00Z\"}";

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread t = new Thread(task, "production");
            t.setDaemon(true);
            return t;
          });
  private final Future<ExpectedRevenue> produced;
  private final Pace pace;

  Production(String servers, String topic, CrashSettings settings) {
    this.pace = new Pace(settings.records(), settings.recordsPerSecond(), settings.kills());
    this.produced =
        thread.submit(
            () ->
                new OrdersProducer(servers, topic)
                    .produce(settings.orders(), PACED_EVERY_RECORDS, pace));
  }

  Pace pace() {
    return pace;
  }

  boolean isDone() {
    return produced.isDone();
  }

  /** Waits for the last order; what there was. */
  ExpectedRevenue await() throws InterruptedException, ExecutionException {
    return produced.get();
  }

  /** Sends the order that closes all windows. */
  static void closeWindows(String servers, String topic)
      throws InterruptedException, ExecutionException {
    Map<String, Object> client = Map.of("bootstrap.servers", servers);
    StringSerializer text = new StringSerializer();
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(client, text, text)) {
      producer.send(new ProducerRecord<>(topic, 0, null, LAST_ORDER)).get();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}

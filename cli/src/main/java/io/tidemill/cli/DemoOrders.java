package io.tidemill.cli;

import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.demo.OrdersProducer;
import io.tidemill.demo.OrdersSettings;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The orders, and the job whose result over them is known. */
final class DemoOrders {
  /** Below the folder that Tidemill is in. */
  static final String JOB = "examples/orders/revenue.sql";

  private static final String TOPIC = "orders";
  private static final long BATCH_RECORDS_MAX = 500_000;
  private static final long RECORDS_MAX = 1_000_000_000;

  private DemoOrders() {}

  static Path job() {
    return Path.of(System.getProperty("tidemill.home", ".")).resolve(JOB);
  }

  /** The orders for {@code --records}; {@code INVALID_OPTION} if that is no number of them. */
  static OrdersSettings settings(long records) {
    if (records < 1 || records > RECORDS_MAX) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "--records must be a number from 1 to 1,000,000,000.")
          .with("records", records);
    }
    return OrdersSettings.of(records);
  }

  /** Records of a batch: few enough for late orders to be late for certain. */
  static long batchRecords(OrdersSettings settings) {
    return Math.min(BATCH_RECORDS_MAX, settings.batchRecordsMax());
  }

  /** Values for the job's variables. */
  static Map<String, String> variables(String bootstrapServers, OrdersSettings settings) {
    return Map.of(
        "KAFKA_BOOTSTRAP_SERVERS",
        bootstrapServers,
        "TOPIC",
        TOPIC,
        "BATCH_RECORDS",
        Long.toString(batchRecords(settings)));
  }

  /** Fills the topic, and tells what the job must come to. */
  static ExpectedRevenue produce(
      String bootstrapServers, OrdersSettings settings, ProgressDisplay display) {
    long start = System.nanoTime();
    ExpectedRevenue expected =
        new OrdersProducer(bootstrapServers, TOPIC)
            .produce(settings, sent -> display.step("Producing orders", sent, settings.records()));
    display.say(
        String.format(
            Locale.ROOT,
            "Produced %,d orders in %.1f s: %,d malformed, %,d late, %,d twice.",
            expected.records(),
            seconds(start),
            expected.malformed(),
            expected.late(),
            expected.duplicates()));
    return expected;
  }

  /** Seconds since then, to the millisecond. */
  static double seconds(long sinceNanos) {
    return Math.round((System.nanoTime() - sinceNanos) / 1e6) / 1e3;
  }
}

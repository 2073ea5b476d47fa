package io.tidemill.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionOrdersTest {
  @Test
  void theSameSettingsMakeTheSameBytes() {
    OrdersSettings settings = OrdersSettings.of(5_000);

    assertThat(records(settings)).isDeepEqualTo(records(settings));
  }

  @Test
  void ordersAreAboutOneHundredAndFiftyBytes() {
    byte[][] records = records(OrdersSettings.of(4_000))[0];
    long bytes = 0;
    for (byte[] record : records) {
      bytes += record.length;
    }

    assertThat(bytes / records.length).isBetween(140L, 160L);
  }

  @Test
  void withoutDefectsEveryRecordIsAnOrder() throws IOException {
    OrdersSettings settings = OrdersSettings.of(4_000).withDefects(Set.of());
    for (byte[][] partition : records(settings)) {
      for (byte[] record : partition) {
        assertThat(Json.MAPPER.readTree(record).hasNonNull("order_id")).isTrue();
      }
    }
    assertThat(totals(settings).malformed()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 2_000, 20_000})
  void expectedResultHoldsForEveryBatchingUpToTheLimit(long records) {
    OrdersSettings settings = OrdersSettings.of(records);
    ExpectedRevenue expected = totals(settings);
    byte[][][] partitions = records(settings);

    for (long seed = 1; seed <= 4; seed++) {
      Reference reference = new Reference();
      Random random = new Random(seed);
      int[] read = new int[partitions.length];
      while (reference.records < records) {
        reference.batch(next(partitions, read, 1 + random.nextLong(settings.batchRecordsMax())));
      }
      reference.batch(List.of());
      reference.batch(List.of());

      assertThat(reference.result()).as("batches by seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void aLargeStreamHasSomeOfEverything() {
    ExpectedRevenue expected = totals(OrdersSettings.of(200_000));

    assertThat(expected.malformed()).isBetween(300L, 500L);
    assertThat(expected.late()).isBetween(150L, 250L);
    assertThat(expected.duplicates()).isBetween(900L, 1_100L);
    assertThat(expected.windows()).isEqualTo(10);
    assertThat(expected.rows()).isBetween(60_000L, 160_000L);
  }

  private static ExpectedRevenue totals(OrdersSettings settings) {
    OrderTotals totals = new OrderTotals(settings.customers());
    for (int partition = 0; partition < settings.partitions(); partition++) {
      PartitionOrders orders = new PartitionOrders(settings, partition);
      while (orders.hasNext()) {
        orders.next();
      }
      totals.merge(orders.totals());
    }
    return totals.expected();
  }

  private static byte[][][] records(OrdersSettings settings) {
    byte[][][] partitions = new byte[settings.partitions()][][];
    for (int partition = 0; partition < partitions.length; partition++) {
      PartitionOrders orders = new PartitionOrders(settings, partition);
      partitions[partition] = new byte[Math.toIntExact(settings.recordsOf(partition))][];
      for (int i = 0; orders.hasNext(); i++) {
        partitions[partition][i] = orders.next();
      }
    }
    return partitions;
  }

  /** Up to so many records, the same number from each partition, rounded up. */
  private static List<byte[]> next(byte[][][] partitions, int[] read, long records) {
    List<byte[]> batch = new ArrayList<>();
    long each = (records + partitions.length - 1) / partitions.length;
    for (int partition = 0; partition < partitions.length; partition++) {
      for (int i = 0; i < each && read[partition] < partitions[partition].length; i++) {
        batch.add(partitions[partition][read[partition]++]);
      }
    }
    return batch;
  }

  /** The query by its definition: a window per map entry, watermarks one and two batches old. */
  private static final class Reference {
    private final TreeMap<Instant, List<JsonNode>> open = new TreeMap<>();
    private final Set<Instant> closedWindows = new HashSet<>();
    private Instant newest = Instant.EPOCH;
    private Instant watermark = Instant.EPOCH;
    private Instant lateWatermark = Instant.EPOCH;
    private long records;
    private long malformed;
    private long late;
    private long rows;
    private long orders;
    private final Set<String> orderIds = new HashSet<>();
    private long duplicates;
    private BigDecimal revenue = new BigDecimal("0.00");

    void batch(List<byte[]> values) {
      lateWatermark = watermark;
      watermark = newest.minus(OrderTotals.WATERMARK_DELAY);
      for (byte[] value : values) {
        records++;
        JsonNode order = parse(value);
        if (order == null) {
          malformed++;
        } else {
          add(order);
        }
      }
      close();
    }

    private void add(JsonNode order) {
      if (!orderIds.add(order.get("order_id").textValue())) {
        duplicates++;
      }
      Instant time = Instant.parse(order.get("event_time").textValue());
      long window = OrderTotals.WINDOW.toMillis();
      Instant end = Instant.ofEpochMilli((time.toEpochMilli() / window + 1) * window);
      newest = time.isAfter(newest) ? time : newest;
      if (!end.isAfter(lateWatermark)) {
        late++;
        return;
      }
      List<JsonNode> rowsOfWindow = open.computeIfAbsent(end, e -> new ArrayList<>());
      rowsOfWindow.add(order);
    }

    private void close() {
      while (!open.isEmpty() && !open.firstKey().isAfter(watermark)) {
        closedWindows.add(open.firstKey());
        Set<String> customers = new HashSet<>();
        for (JsonNode order : open.pollFirstEntry().getValue()) {
          customers.add(order.get("customer_id").textValue());
          revenue = revenue.add(order.get("amount").decimalValue());
          orders++;
        }
        rows += customers.size();
      }
    }

    ExpectedRevenue result() {
      return new ExpectedRevenue(
          records, malformed, late, duplicates, closedWindows.size(), rows, orders, revenue);
    }

    private static JsonNode parse(byte[] value) {
      try {
        JsonNode order = Json.MAPPER.readTree(value);
        boolean fits =
            order.hasNonNull("order_id")
                && order.get("amount").isNumber()
                && order.get("amount").decimalValue().scale() <= 2;
        return fits ? order : null;
      } catch (JsonProcessingException e) {
        return null; // Broken JSON is one way of being malformed.
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}

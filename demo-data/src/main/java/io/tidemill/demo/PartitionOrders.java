package io.tidemill.demo;

import java.util.SplittableRandom;

/** The orders of one partition, one after the other, with their totals. Not thread-safe. */
final class PartitionOrders {
  private static final long JITTER_MILLIS = OrdersSettings.JITTER.toMillis();
  private static final int SMALL_JITTER_MILLIS = 2_000;
  private static final int SKUS = 100_000;
  private static final long CENTS_MAX = 50_000L;

  private final OrdersSettings settings;
  private final int partition;
  private final long startMillis;
  private final Defect[] defects;
  private final SplittableRandom random;
  private final OrderText text = new OrderText();
  private final Order order = new Order();
  private final OrderTotals totals;
  private byte[] ordinary;
  private long made;

  PartitionOrders(OrdersSettings settings, int partition) {
    this.settings = settings;
    this.partition = partition;
    this.startMillis = settings.start().toEpochMilli();
    this.defects = settings.defects().stream().sorted().toArray(Defect[]::new);
    this.random = new SplittableRandom(settings.seed() * 1_000_003 + partition);
    this.totals = new OrderTotals(settings.customers());
  }

  boolean hasNext() {
    return made < settings.recordsOf(partition);
  }

  /** The next record's value. */
  byte[] next() {
    long number = made++ * settings.partitions() + partition;
    if (ordinary != null && random.nextInt(OrdersSettings.DUPLICATE_ONE_IN) == 0) {
      totals.addDuplicate(order);
      return ordinary;
    }
    order.number = number;
    // The square makes some customers order far more often than others.
    double u = random.nextDouble();
    order.customer = (int) (u * u * settings.customers());
    order.cents = random.nextLong(1, CENTS_MAX + 1);
    order.product = random.nextInt(SKUS);
    order.eventTimeMillis = startMillis + onTime(number);
    if (defects.length > 0 && random.nextInt(OrdersSettings.MALFORMED_ONE_IN) == 0) {
      ordinary = null;
      totals.addMalformed();
      return text.malformed(order, defects[random.nextInt(defects.length)]);
    }
    if (settings.lateAllowed(number) && random.nextInt(OrdersSettings.LATE_ONE_IN) == 0) {
      ordinary = null;
      order.eventTimeMillis -= OrdersSettings.LATENESS.toMillis() + settings.spanMillis();
      totals.addLate();
      return text.of(order);
    }
    totals.add(order);
    ordinary = text.of(order);
    return ordinary;
  }

  /** Totals of what was made so far. */
  OrderTotals totals() {
    return totals;
  }

  private long onTime(long number) {
    long tick = (long) ((double) number / settings.records() * settings.spanMillis());
    long jitter =
        random.nextInt(10) == 0
            ? random.nextLong(JITTER_MILLIS)
            : random.nextInt(SMALL_JITTER_MILLIS);
    return tick - jitter;
  }
}

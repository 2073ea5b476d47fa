package io.tidemill.demo;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a set of orders must come to: revenue and groups per window of five minutes. Not
 * thread-safe; totals of several partitions are merged.
 */
public final class OrderTotals {
  /** Size of the windows. */
  public static final Duration WINDOW = Duration.ofMinutes(5);

  /** Delay of the watermark behind the newest event time. */
  public static final Duration WATERMARK_DELAY = Duration.ofMinutes(10);

  private static final long WINDOW_MILLIS = WINDOW.toMillis();

  /** One window's totals. */
  private static final class Window {
    private long cents;
    private long orders;
    private final BitSet customers;

    Window(int customers) {
      this.customers = new BitSet(customers);
    }
  }

  private final int customers;
  private final SortedMap<Long, Window> windows = new TreeMap<>();
  private Window last;
  private long lastStart;
  private long records;
  private long malformed;
  private long late;
  private long duplicates;
  private long eventTimeMillisMax = Long.MIN_VALUE;

  OrderTotals(int customers) {
    this.customers = customers;
  }

  void add(Order order) {
    records++;
    long start = order.eventTimeMillis - Math.floorMod(order.eventTimeMillis, WINDOW_MILLIS);
    if (last == null || start != lastStart) {
      last = windows.computeIfAbsent(start, s -> new Window(customers));
      lastStart = start;
    }
    last.cents += order.cents;
    last.orders++;
    last.customers.set(order.customer);
    eventTimeMillisMax = Math.max(eventTimeMillisMax, order.eventTimeMillis);
  }

  void addDuplicate(Order order) {
    duplicates++;
    add(order);
  }

  void addMalformed() {
    records++;
    malformed++;
  }

  void addLate() {
    records++;
    late++;
  }

  void merge(OrderTotals other) {
    records += other.records;
    malformed += other.malformed;
    late += other.late;
    duplicates += other.duplicates;
    eventTimeMillisMax = Math.max(eventTimeMillisMax, other.eventTimeMillisMax);
    other.windows.forEach(
        (start, theirs) -> {
          Window ours = windows.computeIfAbsent(start, s -> new Window(customers));
          ours.cents += theirs.cents;
          ours.orders += theirs.orders;
          ours.customers.or(theirs.customers);
        });
    last = null;
  }

  /**
   * The result of the windowed revenue query in append mode once everything is read: the windows
   * that the last watermark has passed. The younger ones stay open, in state.
   */
  public ExpectedRevenue expected() {
    long watermark = records == malformed + late ? Long.MIN_VALUE : eventTimeMillisMax - delay();
    long closed = 0;
    long rows = 0;
    long orders = 0;
    BigDecimal cents = BigDecimal.ZERO;
    for (var entry : windows.entrySet()) {
      if (entry.getKey() + WINDOW_MILLIS <= watermark) {
        Window window = entry.getValue();
        closed++;
        rows += window.customers.cardinality();
        orders += window.orders;
        cents = cents.add(BigDecimal.valueOf(window.cents));
      }
    }
    return new ExpectedRevenue(
        records, malformed, late, duplicates, closed, rows, orders, cents.movePointLeft(2));
  }

  private static long delay() {
    return WATERMARK_DELAY.toMillis();
  }
}

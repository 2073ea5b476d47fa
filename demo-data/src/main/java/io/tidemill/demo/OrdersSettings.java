package io.tidemill.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * What orders to make. The same settings always make the same bytes in the same order.
 *
 * <p>Event time advances by {@link #spanMillis} over the whole stream, out of order by at most
 * {@link #JITTER}. Late orders are a day older than the first one and come in the second half only.
 * A late row is dropped once a watermark two batches before it has passed its window, so they are
 * late under every batching whose batches hold at most {@link #batchRecordsMax} records.
 *
 * @param records records over all partitions, malformed, late and duplicate ones included
 * @param partitions partitions; record {@code i} goes to partition {@code i mod partitions}
 * @param customers number of different customers
 * @param seed seed of everything random
 * @param start event time of the first order
 * @param spanMillis event time from the first order to the last
 * @param defects the ways in which malformed orders are malformed; empty for no malformed ones
 */
public record OrdersSettings(
    long records,
    int partitions,
    int customers,
    long seed,
    Instant start,
    long spanMillis,
    Set<Defect> defects) {
  /** How far behind the newest event time an order may be that is not late. */
  public static final Duration JITTER = Duration.ofMinutes(4);

  /** How far behind the first order a late one is. */
  public static final Duration LATENESS = Duration.ofDays(1);

  /** One in so many records is malformed. */
  static final int MALFORMED_ONE_IN = 500;

  /** One in so many records is late, in the second half. */
  static final int LATE_ONE_IN = 500;

  /** One in so many records is a copy of the record before it. */
  static final int DUPLICATE_ONE_IN = 200;

  private static final long MILLIS_PER_RECORD = 3;

  /** Fewer records than this have no late ones: their batches would be of a few records. */
  private static final long LATE_RECORDS_MIN = 1_000;

  public OrdersSettings {
    if (records < 0 || records > 1_000_000_000L) {
      throw new IllegalArgumentException("records must be from 0 to 1,000,000,000");
    }
    if (partitions < 1 || partitions > 1_000 || customers < 1 || customers > 100_000) {
      throw new IllegalArgumentException(
          "partitions must be from 1 to 1,000 and customers from 1 to 100,000");
    }
    if (spanMillis < 0 || start.toEpochMilli() % 1_000 != 0) {
      throw new IllegalArgumentException("start must be a whole second and the span not negative");
    }
    defects = Set.copyOf(defects);
  }

  /** Four partitions, 20,000 customers, every defect; an hour of orders, or more if many. */
  public static OrdersSettings of(long records) {
    return new OrdersSettings(
        records,
        4,
        20_000,
        42,
        Instant.parse("2026-03-01T00:00:00Z"),
        Math.max(Duration.ofHours(1).toMillis(), records * MILLIS_PER_RECORD),
        Set.of(Defect.values()));
  }

  /** The same with other defects. */
  public OrdersSettings withDefects(Set<Defect> defects) {
    return new OrdersSettings(records, partitions, customers, seed, start, spanMillis, defects);
  }

  /** The most records a batch may hold for the late orders to be late for certain. */
  public long batchRecordsMax() {
    return Math.max(1, records / 8);
  }

  /** Whether the record at this position of the whole stream may be a late one. */
  boolean lateAllowed(long number) {
    return records >= LATE_RECORDS_MIN && number >= records / 2;
  }

  /** Records of one partition. */
  public long recordsOf(int partition) {
    return records / partitions + (partition < records % partitions ? 1 : 0);
  }
}

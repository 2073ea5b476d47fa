package io.tidemill.crash;

import io.tidemill.demo.Defect;
import io.tidemill.demo.OrdersSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * What a trial does.
 *
 * @param kills how often the query is killed
 * @param seed decides the moments and the sizes of batches
 * @param records orders that are produced meanwhile
 * @param recordsPerSecond how quickly
 * @param batchRecords sizes of batches, one of which each run takes
 * @param killWithinMillis how long after a batch a kill may come
 * @param unkilled whether the result is compared with that of a run that nobody killed, too
 */
record CrashSettings(
    int kills,
    long seed,
    long records,
    int recordsPerSecond,
    List<Long> batchRecords,
    int killWithinMillis,
    boolean unkilled) {
  /** Event time from the first order to the last; windows of ten seconds make 360 of it. */
  private static final Duration SPAN = Duration.ofHours(1);

  private static final int PARTITIONS = 4;
  private static final int CUSTOMERS = 50;

  CrashSettings {
    batchRecords = List.copyOf(batchRecords);
    if (kills < 1 || recordsPerSecond < 1 || killWithinMillis < 1 || batchRecords.isEmpty()) {
      throw new IllegalArgumentException("a trial needs kills, records and sizes of batches");
    }
  }

  /**
   * A trial of a minute or so. The largest batches are of several tasks with a shuffle between; no
   * larger ones are allowed, as late orders must be late in every run.
   */
  static CrashSettings of(int kills, long seed) {
    long records = 480_000;
    return new CrashSettings(
        kills, seed, records, 12_000, List.of(200L, 1_000L, 4_000L, records / 8), 700, true);
  }

  /** A trial of some seconds. */
  static CrashSettings small(int kills, long seed) {
    long records = 40_000;
    return new CrashSettings(kills, seed, records, 8_000, List.of(500L, 2_000L), 300, false);
  }

  OrdersSettings orders() {
    return new OrdersSettings(
        records,
        PARTITIONS,
        CUSTOMERS,
        seed,
        Instant.parse("2026-03-01T00:00:00Z"),
        SPAN.toMillis(),
        Set.of(Defect.values()));
  }
}

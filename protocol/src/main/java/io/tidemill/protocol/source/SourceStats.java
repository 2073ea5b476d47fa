package io.tidemill.protocol.source;

import java.util.Map;

/**
 * What reading some splits of a source found.
 *
 * @param source index of the source in the plan
 * @param rows rows read, malformed ones included
 * @param malformed rows that did not decode and were dropped or dead-lettered
 * @param maxEventMicros greatest event time, or null if there is none
 * @param minEventMicros least event time, or null
 * @param sumEventMillis sum of event times in milliseconds over {@code eventRows} rows
 * @param eventRows rows with an event time
 * @param metrics the connector's own counts
 */
public record SourceStats(
    int source,
    long rows,
    long malformed,
    Long maxEventMicros,
    Long minEventMicros,
    double sumEventMillis,
    long eventRows,
    Map<String, Long> metrics) {

  public static SourceStats none(int source) {
    return new SourceStats(source, 0, 0, null, null, 0, 0, Map.of());
  }

  public SourceStats withMetrics(Map<String, Long> counts) {
    return new SourceStats(
        source, rows, malformed, maxEventMicros, minEventMicros, sumEventMillis, eventRows, counts);
  }

  /** The statistics of both parts together. */
  public SourceStats plus(SourceStats other) {
    Map<String, Long> all = new java.util.TreeMap<>(metrics);
    other.metrics.forEach((name, count) -> all.merge(name, count, Long::sum));
    return new SourceStats(
        source,
        rows + other.rows,
        malformed + other.malformed,
        greatest(maxEventMicros, other.maxEventMicros),
        least(minEventMicros, other.minEventMicros),
        sumEventMillis + other.sumEventMillis,
        eventRows + other.eventRows,
        all);
  }

  private static Long greatest(Long a, Long b) {
    return a == null ? b : b == null ? a : Long.valueOf(Math.max(a, b));
  }

  private static Long least(Long a, Long b) {
    return a == null ? b : b == null ? a : Long.valueOf(Math.min(a, b));
  }
}

package io.tidemill.storage.aws;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How often AWS was called, by operation as in IAM, e.g. {@code dynamodb:PutItem}. A call counts
 * when it is sent, each time it is sent. Thread-safe.
 */
public final class AwsCalls {
  /**
   * Calls of one operation.
   *
   * @param calls requests sent
   * @param sentBytes bytes in their bodies
   * @param receivedBytes bytes in the bodies of the replies, as far as these say
   * @param units read or write units that DynamoDB charged
   */
  public record Count(long calls, long sentBytes, long receivedBytes, double units) {
    static final Count NONE = new Count(0, 0, 0, 0);

    Count plus(Count other) {
      return new Count(
          calls + other.calls,
          sentBytes + other.sentBytes,
          receivedBytes + other.receivedBytes,
          units + other.units);
    }
  }

  private final Map<String, Count> counts = new TreeMap<>();
  private final AtomicLong throttled = new AtomicLong();

  synchronized void add(String operation, Count count) {
    counts.merge(operation, count, Count::plus);
  }

  void addThrottled() {
    throttled.incrementAndGet();
  }

  /** Everything counted so far, by operation. */
  public synchronized Map<String, Count> counts() {
    return new TreeMap<>(counts);
  }

  /** Calls of one operation so far. */
  public synchronized long of(String operation) {
    return counts.getOrDefault(operation, Count.NONE).calls();
  }

  /** How many calls were refused because there were too many. */
  public long throttled() {
    return throttled.get();
  }
}

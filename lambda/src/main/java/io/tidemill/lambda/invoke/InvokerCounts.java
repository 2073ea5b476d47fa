package io.tidemill.lambda.invoke;

import java.util.concurrent.atomic.LongAdder;

/** What an invoker has sent. Thread-safe. */
public final class InvokerCounts {
  private final LongAdder invocations = new LongAdder();
  private final LongAdder throttled = new LongAdder();
  private final LongAdder storedRequests = new LongAdder();
  private final LongAdder payloadBytes = new LongAdder();

  void invoked(int bytes) {
    invocations.increment();
    payloadBytes.add(bytes);
  }

  void throttled() {
    throttled.increment();
  }

  void stored() {
    storedRequests.increment();
  }

  /** Invocations sent, throttled ones included. */
  public long invocations() {
    return invocations.sum();
  }

  /** Invocations that were refused and sent again later. */
  public long throttles() {
    return throttled.sum();
  }

  /** Requests too large for a payload. */
  public long storedRequests() {
    return storedRequests.sum();
  }

  /** Bytes of all events sent. */
  public long payloadBytes() {
    return payloadBytes.sum();
  }
}

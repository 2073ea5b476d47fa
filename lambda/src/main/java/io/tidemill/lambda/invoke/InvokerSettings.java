package io.tidemill.lambda.invoke;

import java.time.Duration;

/**
 * How tasks are handed to the batch function.
 *
 * @param function name or ARN, with an alias if it has one
 * @param concurrency most invocations at the same time
 * @param timeout how long an invocation may take, waiting for the throttling to end included
 * @param payloadBytesMax a larger event is stored, and the function told where; Lambda takes 6 MB
 */
public record InvokerSettings(
    String function, int concurrency, Duration timeout, int payloadBytesMax) {
  /** Below Lambda's 6 MB. */
  public static final int PAYLOAD_BYTES_MAX = 5 * 1024 * 1024;

  public InvokerSettings {
    if (concurrency < 1 || timeout.isNegative() || timeout.isZero() || payloadBytesMax < 1) {
      throw new IllegalArgumentException("concurrency, timeout and payload must be positive");
    }
  }
}

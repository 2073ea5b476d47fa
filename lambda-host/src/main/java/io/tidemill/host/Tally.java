package io.tidemill.host;

/**
 * What a function has used.
 *
 * @param invocations handed to instances, repeated ones included
 * @param coldStarts processes started
 * @param errors invocations that failed, were killed or took too long
 * @param throttles refused with 429
 * @param billedMillis time from delivery to reply, and of starts
 * @param memoryMegabytes size of its instances
 * @param requestBytes payloads sent to it
 * @param responseBytes payloads it returned
 * @param busyMost most instances at work at the same time
 */
public record Tally(
    long invocations,
    long coldStarts,
    long errors,
    long throttles,
    long billedMillis,
    int memoryMegabytes,
    long requestBytes,
    long responseBytes,
    int busyMost) {

  /** Gigabyte-seconds, which are what Lambda charges. */
  public double gigabyteSeconds() {
    return billedMillis / 1000.0 * memoryMegabytes / 1024.0;
  }
}

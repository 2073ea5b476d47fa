package io.tidemill.demo;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Writes times as {@code 2026-03-01T12:34:56.789}; keeps the text of the last second. */
final class CivilTime {
  private long second = Long.MIN_VALUE;
  private byte[] text = new byte[0];

  /** Writes 23 bytes and returns the position after them. */
  int write(long epochMillis, byte[] into, int at) {
    long wanted = Math.floorDiv(epochMillis, 1_000L);
    if (wanted != second) {
      second = wanted;
      // Instant leaves the fraction out where there is none: 20 bytes with the Z.
      text = Instant.ofEpochSecond(wanted).toString().getBytes(StandardCharsets.US_ASCII);
    }
    System.arraycopy(text, 0, into, at, 19);
    int millis = Math.floorMod(epochMillis, 1_000);
    into[at + 19] = '.';
    into[at + 20] = (byte) ('0' + millis / 100);
    into[at + 21] = (byte) ('0' + millis / 10 % 10);
    into[at + 22] = (byte) ('0' + millis % 10);
    return at + 23;
  }
}

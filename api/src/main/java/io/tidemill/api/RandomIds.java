package io.tidemill.api;

import io.tidemill.protocol.Ids;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Ids of 128 random bits. */
final class RandomIds implements Ids {
  private static final int BYTES = 16;
  private final SecureRandom random = new SecureRandom();

  @Override
  public String next() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}

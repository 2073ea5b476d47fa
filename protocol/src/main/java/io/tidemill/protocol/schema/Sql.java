package io.tidemill.protocol.schema;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Quotes names and values for DuckDB. */
public final class Sql {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  private Sql() {}

  /** A quoted identifier. */
  public static String name(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A quoted text literal. */
  public static String text(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A TIMESTAMP literal for milliseconds since the epoch, UTC. */
  public static String timestamp(long epochMillis) {
    return "TIMESTAMP '" + TIMESTAMP.format(Instant.ofEpochMilli(epochMillis)) + "'";
  }
}

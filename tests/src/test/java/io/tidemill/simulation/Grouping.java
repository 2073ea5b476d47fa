package io.tidemill.simulation;

import io.tidemill.protocol.Watermark;

/** How a simulated query counts rows. A group is named by a text. */
enum Grouping {
  /** It copies them and has no state. */
  NONE,
  /** By key, for ever. */
  KEY,
  /** By key and window of event time: late rows are dropped, windows that are over forgotten. */
  WINDOW;

  /** A count that it divides is forgotten, so that groups are also removed. */
  private static final int FORGOTTEN = 5;

  private static final long WINDOW_MILLIS = 100;

  String groupOf(Row row) {
    return this == WINDOW ? row.key() + "@" + end(row) : row.key();
  }

  private static long end(Row row) {
    return (Math.floorDiv(row.eventMillis(), WINDOW_MILLIS) + 1) * WINDOW_MILLIS;
  }

  boolean isLate(Row row, Watermark late) {
    return this == WINDOW && !late.isNone() && end(row) <= late.millis();
  }

  /** The end of a group's window. */
  static Watermark end(String group) {
    return Watermark.ofMillis(Long.parseLong(group.substring(group.indexOf('@') + 1)));
  }

  /** True if the watermark ends a group. */
  boolean isOver(String group, Watermark watermark) {
    return this == WINDOW && !watermark.isNone() && end(group).compareTo(watermark) <= 0;
  }

  /** The count to remember; 0 for none. */
  static long remembered(long count) {
    return count % FORGOTTEN == 0 ? 0 : count;
  }
}

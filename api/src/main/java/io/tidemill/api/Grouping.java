package io.tidemill.api;

/** How rows are grouped by several keys. */
enum Grouping {
  /** By all keys. */
  PLAIN(" GROUP BY ", ""),
  /** By all keys, by all but the last, and so on. */
  ROLLUP(" GROUP BY ROLLUP (", ")"),
  /** By every subset of the keys. */
  CUBE(" GROUP BY CUBE (", ")");

  private final String before;
  private final String after;

  Grouping(String before, String after) {
    this.before = before;
    this.after = after;
  }

  String clause(String keys) {
    return keys.isEmpty() ? "" : before + keys + after;
  }
}

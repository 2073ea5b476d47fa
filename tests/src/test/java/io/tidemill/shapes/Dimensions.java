package io.tidemill.shapes;

import java.util.Map;

/** Static tables to join with: their columns and the rows, the same in every run. */
final class Dimensions {
  static final Map<String, String> COLUMNS =
      Map.of(
          "dims", "k VARCHAR, label VARCHAR, weight INTEGER",
          "ranges", "low INTEGER, high INTEGER, band VARCHAR");

  static final Map<String, String> ROWS =
      Map.of(
          "dims",
          "SELECT 'k' || n AS k, CASE WHEN n % 3 = 0 THEN NULL ELSE 'label ' || n END AS label,"
              + " CAST(n * 10 AS INTEGER) AS weight FROM range(2, 12) AS r(n)"
              + " UNION ALL SELECT 'k5', 'label 5 again', 55 UNION ALL SELECT NULL, 'none', 0",
          "ranges",
          "SELECT * FROM (VALUES (-1000, -1, 'low'), (0, 499, 'mid'), (500, 1000, 'high'))"
              + " AS v(low, high, band)");

  private Dimensions() {}
}

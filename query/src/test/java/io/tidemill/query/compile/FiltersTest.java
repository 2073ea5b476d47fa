package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Conditions on keys move below the grouping, so that other groups are not kept. */
class FiltersTest {
  private static String front(String mode, String query) {
    return Jobs.plan(mode, query).stages().get(0).segment();
  }

  private static String behind(String mode, String query) {
    return Jobs.plan(mode, query).stages().get(1).segment();
  }

  @Test
  void havingOnAKeyMovesBelowAndStays() {
    String query = "SELECT k, count(*) AS n FROM events GROUP BY k HAVING k > 'a' AND count(*) > 1";
    assertThat(front("update", query)).contains("WHERE (events.k > 'a')");
    assertThat(behind("update", query)).contains("k0 > 'a'").contains("a0 > 1");
  }

  @Test
  void conditionOfAnOuterQueryMovesBelowByTheNameOfItsColumn() {
    String query =
        "SELECT * FROM (SELECT upper(k) AS u, sum(v) AS t FROM events WHERE v > 0 GROUP BY u) s"
            + " WHERE u = 'A' AND t > 3";
    assertThat(front("update", query)).contains("(v > 0) AND (upper(events.k) = 'A')");
  }

  @Test
  void conditionOnAWindowMovesBelowTheGrouping() {
    String query =
        "SELECT * FROM (SELECT window.start AS ws, count(*) AS n FROM events"
            + " GROUP BY window(ts, '5 seconds')) WHERE ws > TIMESTAMP '2024-01-01'";
    assertThat(front("append", query)).contains("(struct_extract(__tidemill_window, 'start') >");
  }

  @Test
  void conditionOnAnAggregateOrOnPartOfTheGroupingSetsStays() {
    assertThat(front("update", "SELECT k, count(*) AS n FROM events GROUP BY k HAVING n > 1"))
        .doesNotContain("WHERE");
    assertThat(
            front(
                "update",
                "SELECT k, g, count(*) FROM events GROUP BY ROLLUP (k, g) HAVING k > 'a'"))
        .doesNotContain("WHERE");
  }

  @Test
  void conditionMovesBelowSelectDistinctButNotBelowDropDuplicatesOrLimit() {
    assertThat(front("update", "SELECT * FROM (SELECT DISTINCT k FROM events) WHERE k > 'a'"))
        .contains("WHERE (__tidemill_row.k > 'a')");
    assertThat(front("append", "SELECT k FROM drop_duplicates(events, k) WHERE k > 'a'"))
        .doesNotContain("WHERE");
    assertThat(front("append", "SELECT * FROM (SELECT k FROM events LIMIT 3) WHERE k > 'a'"))
        .doesNotContain("WHERE");
  }

  @Test
  void conditionThatChangesFromBatchToBatchStays() {
    String query =
        "SELECT g, count(*) AS n FROM events GROUP BY g HAVING g > CAST(now() AS VARCHAR)";
    assertThat(front("update", query)).doesNotContain("WHERE");
  }
}

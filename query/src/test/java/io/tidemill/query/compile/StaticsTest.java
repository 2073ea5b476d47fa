package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.query.plan.TablePlan;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Static tables are read by every function, so a plan has only those its SQL reads. */
class StaticsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "SELECT k FROM events | none",
        "SELECT name FROM events JOIN dim USING (k) | dim",
        "SELECT name FROM events JOIN DIM AS d USING (k) | dim",
        "SELECT label FROM events JOIN dim USING (k) JOIN cat USING (rate) | cat dim",
        "SELECT k FROM events WHERE k IN (SELECT k FROM dim) | dim",
        "SELECT k FROM events WHERE v > (SELECT max(rate) FROM cat) | cat",
        "WITH d AS (SELECT k FROM dim) SELECT k FROM events | none",
        "WITH d AS (SELECT k FROM dim), e AS (SELECT k FROM d) SELECT k FROM events JOIN e USING (k) | dim",
      })
  void planHasTheTablesThatItsSqlReads(String query, String tables) {
    List<String> expected = tables == null ? List.of() : List.of(tables.split(" "));
    assertThat(Jobs.plan("append", query).tables())
        .extracting(TablePlan::name)
        .containsExactlyElementsOf(expected);
  }
}

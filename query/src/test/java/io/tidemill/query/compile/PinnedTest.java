package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A replay of a batch sees the same clock and the same chance. */
class PinnedTest {
  private static final String BATCH_TIME = "getvariable('tidemill_batch_time')";

  private static String segment(String query) {
    return Jobs.plan("append", query).stages().get(0).segment();
  }

  /** The clock's value in a batch of 2001-02-03 04:05:06 UTC. */
  private static String value(String query) throws SqlMistake {
    try (DuckSql sql = new DuckSql()) {
      sql.execute("SET VARIABLE tidemill_batch_time = make_timestamptz(981173106000000)");
      return sql.scalar(
          "WITH "
              + OwnNames.INPUT
              + " AS (SELECT TIMESTAMP '2000-02-03' AS ts, 'a' AS k, [1] AS xs) SELECT"
              + " CAST(x AS VARCHAR) FROM ("
              + segment(query)
              + ")");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "now()                      | 2001-02-03 04:05:06+00",
        "NOW()                      | 2001-02-03 04:05:06+00",
        "main.now()                 | 2001-02-03 04:05:06+00",
        "current_timestamp          | 2001-02-03 04:05:06+00",
        "CURRENT_TIMESTAMP          | 2001-02-03 04:05:06+00",
        "current_timestamp()        | 2001-02-03 04:05:06+00",
        "get_current_timestamp()    | 2001-02-03 04:05:06+00",
        "transaction_timestamp()    | 2001-02-03 04:05:06+00",
        "localtimestamp             | 2001-02-03 04:05:06",
        "current_localtimestamp()   | 2001-02-03 04:05:06",
        "current_date               | 2001-02-03",
        "today()                    | 2001-02-03",
        "current_time               | 04:05:06+00",
        "get_current_time()         | 04:05:06+00",
        "localtime                  | 04:05:06",
        "current_localtime()        | 04:05:06",
        "age(ts)                    | 1 year",
        "ago(INTERVAL 1 HOUR)       | 2001-02-03 03:05:06+00",
      })
  void clockIsTheBatchTime(String clock, String expected) throws SqlMistake {
    for (String query :
        new String[] {
          "SELECT " + clock + " AS x FROM events",
          "SELECT (list_transform(xs, lambda y: " + clock + "))[1] AS x FROM events",
          "SELECT (SELECT " + clock + ") AS x FROM events",
          "WITH c AS (SELECT " + clock + " AS x, k FROM events) SELECT * FROM c",
        }) {
      assertThat(value(query)).as(query).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"uuid()", "uuidv4()", "gen_random_uuid()", "uuidv7()"})
  void randomIdComesFromTheSeededNumbers(String call) {
    assertThat(segment("SELECT " + call + " AS x FROM events"))
        .contains("random()")
        .doesNotContain("uuid()");
  }

  @Test
  void columnWinsOverAClockOfItsName() {
    String query = "SELECT current_date AS x FROM (SELECT k AS current_date FROM events)";
    assertThat(segment(query)).doesNotContain(BATCH_TIME);
  }

  @Test
  void clockInAMacroIsNoColumnOfItsName() {
    String query =
        "SELECT ago(INTERVAL 1 HOUR) AS x FROM (SELECT k AS current_timestamp FROM events)";
    assertThat(segment(query)).contains(BATCH_TIME);
  }

  @Test
  void clockOfAViewIsTheBatchTimeToo() {
    String job =
        "CREATE STREAM s (k VARCHAR) WITH (connector = 'fake');"
            + "CREATE VIEW v AS SELECT k, now() AS n FROM s;"
            + "CREATE SINK o WITH (connector = 'fake'); INSERT INTO o SELECT * FROM v;";
    assertThat(Jobs.plan(job).stages().get(0).segment()).contains(BATCH_TIME);
  }

  @Test
  void columnKeepsTheNameOfTheClock() {
    assertThat(Jobs.plan("append", "SELECT now(), current_date FROM events").output().names())
        .containsExactly("now()", "current_date");
  }
}

package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A refusal names its rule and what to do instead. */
class LegalityTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "append   | SELECT k, count(*) FROM events GROUP BY k | Output mode append needs a watermark on the grouping keys",
        "append   | SELECT count(*) FROM events | Output mode append needs a watermark on the grouping keys",
        "append   | SELECT DISTINCT k FROM events | Output mode append needs a watermark on the grouping keys",
        "append   | SELECT window_start, count(*) FROM TUMBLE(with_watermark(untimed, k, INTERVAL 1 MINUTE), k, INTERVAL 1 MINUTE) GROUP BY ALL | A watermark needs a TIMESTAMP column; k is VARCHAR",
        "complete | SELECT k FROM events | Output mode complete needs an aggregation",
        "update   | SELECT k FROM events LIMIT 3 | LIMIT is not possible in output mode update",
        "append   | SELECT k FROM events ORDER BY k | ORDER BY needs the complete result",
        "update   | SELECT k, count(*) FROM events GROUP BY k ORDER BY k | ORDER BY needs the complete result",
        "update   | SELECT n, count(*) FROM (SELECT k, count(*) AS n FROM events GROUP BY k) GROUP BY n | no other stateful operator is possible",
        "complete | SELECT n, count(*) FROM (SELECT k, count(*) AS n FROM events GROUP BY k) GROUP BY n | no other stateful operator is possible",
        "append   | SELECT k FROM events OFFSET 3 | OFFSET is not possible on a stream",
        "append   | SELECT k FROM events LIMIT 3 OFFSET 3 | OFFSET is not possible on a stream",
        "append   | SELECT k FROM events LIMIT (SELECT 3) | LIMIT on a stream takes a constant number of rows",
        "append   | SELECT DISTINCT ON (k) k, v FROM events | use drop_duplicates(stream, columns…)",
        "append   | SELECT row_number() OVER (PARTITION BY k ORDER BY ts) FROM events | Use TUMBLE or HOP with GROUP BY",
        "append   | SELECT k FROM events QUALIFY row_number() OVER () = 1 | Use TUMBLE or HOP with GROUP BY",
        "append   | SELECT k FROM dim | The query reads no stream",
        "append   | SELECT k FROM dim WHERE v IN (SELECT v FROM events) | only static tables are possible there",
        "append   | SELECT k FROM events WHERE v IN (SELECT v FROM other) | only static tables are possible there",
        "append   | SELECT k FROM events TABLESAMPLE 10% | A job cannot sample rows",
        "append   | SELECT * FROM events EXCEPT SELECT * FROM events | EXCEPT",
        "append   | SELECT k FROM events EXCEPT SELECT k FROM other | EXCEPT of a stream is not possible",
        "append   | SELECT k FROM events INTERSECT SELECT k FROM other | only UNION and UNION ALL are",
        "append   | SELECT k FROM events UNION ALL SELECT k FROM dim | Make both sides streams",
        "append   | SELECT k FROM events EXCEPT SELECT k FROM dim | EXCEPT on a stream is possible in output mode update only",
        "update   | SELECT k FROM events EXCEPT ALL SELECT k FROM dim | EXCEPT ALL is not possible on a stream",
        "append   | WITH RECURSIVE r AS (SELECT k FROM events UNION ALL SELECT k FROM r) SELECT k FROM r | A recursive query over a stream is not possible",
        "append   | SELECT name FROM events RIGHT JOIN dim USING (k) | rows of the static table without a partner could never be decided",
        "append   | SELECT name FROM dim LEFT JOIN events USING (k) | rows of the static table without a partner could never be decided",
        "append   | SELECT name FROM events FULL JOIN dim USING (k) | rows of the static table without a partner could never be decided",
        "append   | SELECT name FROM dim SEMI JOIN events USING (k) | rows of the static table without a partner could never be decided",
        "append   | SELECT name FROM dim ANTI JOIN events USING (k) | rows of the static table without a partner could never be decided",
        "append   | SELECT sum(count(*)) FROM events GROUP BY k | aggregate function calls cannot be nested",
        "append   | SELECT k FROM events GROUP BY 3 | GROUP BY",
        "append   | SELECT window_start FROM TUMBLE(events, k, INTERVAL 1 MINUTE) | A window needs a TIMESTAMP column; k is VARCHAR",
        "append   | SELECT window_start FROM TUMBLE(events, ts, INTERVAL 0 SECOND) | must be greater than zero",
        "append   | SELECT window_start FROM HOP(events, ts, INTERVAL 2 MINUTE, INTERVAL 1 MINUTE) | must not be greater than its size",
        "append   | SELECT window_start FROM TUMBLE(events, ts, INTERVAL 1 MONTH) | cannot be measured in months or years",
        "append   | SELECT window_start FROM TUMBLE(events, ts, v) | constant intervals",
        "append   | SELECT window_start FROM TUMBLE(events, ts, INTERVAL (random()) MINUTE) | constant intervals",
        "append   | SELECT window_start FROM TUMBLE(dim, k, INTERVAL 1 MINUTE) | tumble works on a stream; dim is static",
        "append   | SELECT window_start FROM TUMBLE() | tumble needs a stream as its first argument",
        "append   | SELECT window_start FROM TUMBLE('events', ts, INTERVAL 1 MINUTE) | is the name of a stream, view or common table",
        "append   | SELECT k FROM drop_duplicates(events, upper(k)) | Deduplication is by columns",
        "append   | SELECT k FROM drop_duplicates_within_watermark(untimed, k) | needs a watermark on its input",
        "append   | SELECT k FROM with_watermark(events, ts, INTERVAL 1 MINUTE) | The stream has a watermark already",
        "append   | SELECT k FROM with_watermark(untimed, upper(k), INTERVAL 1 MINUTE) | with_watermark needs the name of a time column",
        "append   | SELECT k FROM with_watermark(untimed, k) | with_watermark takes a stream, its time column and how late rows may be",
        "append   | SELECT t FROM with_watermark(timed, t, INTERVAL (random()) MINUTE) | a constant interval of zero or more",
        "append   | SELECT t FROM with_watermark(timed, t, INTERVAL (-1) MINUTE) | a constant interval of zero or more",
        "append   | SELECT t FROM with_watermark(grouped, t, INTERVAL 1 MINUTE) | put it before",
      })
  void refusalNamesItsRule(String mode, String query, String rule) {
    String views =
        "WITH timed AS (SELECT k, TIMESTAMP '2024-01-01' AS t FROM untimed), grouped AS (SELECT k,"
            + " max(TIMESTAMP '2024-01-01') AS t FROM untimed GROUP BY k) ";
    String whole = query.contains(" t FROM ") ? views + query : query;
    assertThatThrownBy(() -> Jobs.plan(mode, whole))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.text()).contains(rule);
              assertThat(e.code()).isIn(ErrorCode.ILLEGAL_QUERY, ErrorCode.JOB_SYNTAX);
              assertThat(e.fields().get("at").toString()).startsWith("job.sql:1:");
              assertThat(e.fields()).containsKey(TidemillException.SNIPPET);
            });
  }

  @Test
  void twoQueriesIntoOneSinkAreRefused() {
    String job =
        "CREATE STREAM s (a INT) WITH (connector = 'fake'); CREATE SINK o WITH (connector ="
            + " 'fake'); INSERT INTO o SELECT a FROM s; INSERT INTO O SELECT a FROM s;";
    assertThatThrownBy(() -> Jobs.plans(job))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("combine them with UNION ALL, or create a second sink");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ts - INTERVAL 10 MINUTES         | 600000",
        "TS - INTERVAL '1 hour'           | 3600000",
        "ts                               | 0",
        "ts - INTERVAL 0 SECONDS          | 0",
        "\"ts\" - INTERVAL (2 + 3) SECOND | 5000",
      })
  void watermarkIsTheColumnLessAConstantInterval(String expression, long millis) {
    assertThat(Jobs.plan(watermarked(expression)).sources().get(0).eventTime().orElseThrow())
        .satisfies(
            e -> {
              assertThat(e.column()).isEqualTo("ts");
              assertThat(e.delayMillis()).isEqualTo(millis);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "other - INTERVAL 10 MINUTES",
        "other",
        "s.ts",
        "ts + INTERVAL 1 MINUTE",
        "ts - INTERVAL (-1) MINUTE",
        "ts - INTERVAL (random() * 10) SECOND",
        "ts - (now() - TIMESTAMPTZ '2024-01-01')",
        "ts - (SELECT INTERVAL 1 SECOND FROM duckdb_settings() LIMIT 1)",
        "ts - to_seconds(id)",
        "date_trunc('hour', ts)",
        "INTERVAL 1 MINUTE",
      })
  void otherWatermarkIsRefusedWithTheWayToWriteIt(String expression) {
    assertThatThrownBy(() -> Jobs.plan(watermarked(expression)))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining(
            "A watermark is written WATERMARK FOR ts AS ts - INTERVAL 10 MINUTES");
  }

  private static String watermarked(String expression) {
    return "CREATE STREAM s (id BIGINT, ts TIMESTAMP, other TIMESTAMP, WATERMARK FOR ts AS "
        + expression
        + ") WITH (connector = 'fake'); CREATE SINK o WITH (connector = 'fake');"
        + " INSERT INTO o SELECT id, ts FROM s;";
  }
}

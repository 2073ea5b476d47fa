package io.tidemill.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.query.compile.Jobs;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {
  private static final String JOB =
      """
      CREATE STREAM orders (k VARCHAR, v BIGINT, ts TIMESTAMP,
        WATERMARK FOR ts AS ts - INTERVAL 10 MINUTES)
        WITH (connector = 'fake', maxOffsetsPerTrigger = '10');
      CREATE TABLE dim (k VARCHAR, name VARCHAR) WITH (connector = 'fake', path = 'a');
      CREATE SINK o WITH (connector = 'fake', mode = 'update', path = 'out');
      SET trigger = 'available-now';
      SET retainBatches = 10;
      INSERT INTO o
      SELECT window_start, k, sum(v) AS s, count(*) AS n
      FROM TUMBLE(orders, ts, INTERVAL 5 MINUTES) WHERE v > 0
      GROUP BY window_start, k HAVING n > 1;
      """;

  private static QueryPlan changed(String from, String to) {
    assertThat(JOB).contains(from);
    return Jobs.plan(JOB.replace(from, to));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WHERE v > 0              | WHERE v > 7",
        "WHERE v > 0              | ' '",
        "HAVING n > 1             | HAVING s > 9",
        "AS s, count(*) AS n      | + 1 AS other, count(*) AS n",
        "maxOffsetsPerTrigger = '10' | maxOffsetsPerTrigger = '99', startingOffsets = 'latest'",
        "INTERVAL 10 MINUTES      | INTERVAL 20 MINUTES",
        "path = 'out'             | path = 'elsewhere'",
        "SINK o WITH (connector = 'fake' | SINK o WITH (connector = 'other'",
        "'available-now'          | '10 seconds'",
        "retainBatches = 10       | retainBatches = 20",
        "path = 'a'               | path = 'b'",
        "WHERE v > 0              | JOIN dim USING (k) WHERE v > 0",
        "k VARCHAR, v BIGINT, ts  | k VARCHAR, more DATE, v BIGINT, ts",
        "window_start, k, sum     | k, window_start, sum",
      })
  void whatLeavesPositionsAndStateValidMayChange(String from, String to) {
    assertThat(changed(from, to).fingerprint()).isEqualTo(Jobs.plan(JOB).fingerprint());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "orders                        | purchases",
        "GROUP BY window_start, k      | GROUP BY k, window_start",
        "sum(v)                        | max(v)",
        "sum(v)                        | avg(v)",
        "window_start, k HAVING        | window_start, k, v HAVING",
        "FROM TUMBLE(orders, ts, INTERVAL 5 MINUTES) | FROM TUMBLE(drop_duplicates(orders, k), ts, INTERVAL 5 MINUTES)",
        "count(*) AS n                 | count(DISTINCT v) AS n",
        "mode = 'update'               | mode = 'append'",
        "WITH (connector = 'fake', max | WITH (connector = 'other', max",
      })
  void whatMakesPositionsOrStateInvalidChangesIt(String from, String to) {
    QueryPlan before = Jobs.plan(JOB);
    QueryPlan after = changed(from, to);
    assertThat(after.fingerprint()).isNotEqualTo(before.fingerprint());
    assertThat(Fingerprint.parts(after)).isNotEqualTo(Fingerprint.parts(before));
  }
}

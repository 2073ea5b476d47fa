package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import org.junit.jupiter.api.Test;

class EventTimesTest {
  private static final String STREAM =
      "CREATE STREAM s (id VARCHAR, said VARCHAR, ts TIMESTAMP) WITH (connector = 'x');"
          + "CREATE STREAM timed (id VARCHAR, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL 1"
          + " MINUTE) WITH (connector = 'x');"
          + "CREATE TABLE names (id VARCHAR, name VARCHAR) WITH (connector = 'x');"
          + "CREATE SINK r WITH (connector = 'y', mode = 'append');";

  private static QueryPlan plan(String query) {
    return Jobs.plan(STREAM + "INSERT INTO r " + query);
  }

  private static TidemillException error(String query) {
    TidemillException[] found = new TidemillException[1];
    assertThatThrownBy(() -> plan(query))
        .isInstanceOfSatisfying(TidemillException.class, e -> found[0] = e);
    return found[0];
  }

  @Test
  void aColumnOfTheStreamIsItsEventTime() {
    QueryPlan plan =
        plan(
            "SELECT window_start, count(*) AS n FROM TUMBLE(with_watermark(s, ts, INTERVAL 10"
                + " SECONDS), ts, INTERVAL 5 SECONDS) GROUP BY window_start");
    assertThat(plan.sources().get(0).eventTime()).contains(new SourcePlan.EventTime("ts", 10_000));
    assertThat(plan.sources().get(0).columns()).contains("ts");
    assertThat(plan.stages().get(1).operator().orElseThrow().eventTime()).isPresent();
  }

  @Test
  void aColumnWorkedOutByTheQueryIsSeenOnTheRowsThatHoldIt() {
    QueryPlan plan =
        plan(
            "WITH parsed AS (SELECT id, CAST(said AS TIMESTAMP) AS time FROM s WHERE id <> 'x')"
                + " SELECT window_start, count(*) AS n FROM TUMBLE(with_watermark(parsed, time,"
                + " '10 seconds'), time, INTERVAL 5 SECONDS) GROUP BY window_start");
    SourcePlan.EventTime time = plan.sources().get(0).eventTime().orElseThrow();
    assertThat(time.column()).isEqualTo("time");
    assertThat(time.delayMillis()).isEqualTo(10_000);
    assertThat(time.rows().orElseThrow()).contains("AS TIMESTAMP", "'x'");
    assertThat(plan.stages().get(0).segment()).doesNotContain("'x'");
    assertThat(plan.sources().get(0).columns()).contains("said").doesNotContain("time");
  }

  @Test
  void staticTablesMayComeBeforeTheWatermark() {
    QueryPlan plan =
        plan(
            "WITH named AS (SELECT s.id, n.name, s.ts FROM s JOIN names AS n ON s.id = n.id)"
                + " SELECT name, ts FROM drop_duplicates_within_watermark(with_watermark(named, ts,"
                + " INTERVAL 1 HOUR), name)");
    assertThat(plan.sources().get(0).eventTime().orElseThrow().rows().orElseThrow())
        .contains("names");
  }

  @Test
  void eachStreamOfAUnionGetsItsOwnWatermark() {
    QueryPlan plan =
        plan(
            "WITH two AS (SELECT id, ts FROM s UNION ALL SELECT id, ts FROM s)"
                + " SELECT ts, count(*) AS n FROM with_watermark(two, ts, INTERVAL 1 HOUR)"
                + " GROUP BY ts");
    assertThat(plan.sources()).hasSize(2).allMatch(s -> s.eventTime().isPresent());
  }

  @Test
  void hiddenColumnsStayReachable() {
    QueryPlan plan = plan("SELECT id, _offset FROM with_watermark(s, ts, INTERVAL 1 HOUR)");
    assertThat(plan.output().names()).containsExactly("id", "_offset");
    assertThat(plan("SELECT * FROM with_watermark(s, ts, INTERVAL 1 HOUR)").output().names())
        .containsExactly("id", "said", "ts");
  }

  @Test
  void aSecondWatermarkIsRefused() {
    assertThat(error("SELECT id FROM with_watermark(timed, ts, INTERVAL 1 HOUR)"))
        .hasMessageContaining("has a watermark already")
        .extracting(TidemillException::code)
        .isEqualTo(ErrorCode.ILLEGAL_QUERY);
    assertThat(
            error(
                "WITH once AS (SELECT * FROM with_watermark(s, ts, INTERVAL 1 HOUR)) SELECT id"
                    + " FROM with_watermark(once, ts, INTERVAL 1 HOUR)"))
        .hasMessageContaining("has a watermark already");
  }

  @Test
  void aWatermarkBehindStateIsRefused() {
    assertThat(error("SELECT id FROM with_watermark(drop_duplicates(s, id), ts, INTERVAL 1 HOUR)"))
        .hasMessageContaining("put it before");
  }

  @Test
  void mistakesInTheCallAreShownWithTheirPlace() {
    assertThat(error("SELECT id FROM with_watermark(s, tz, INTERVAL 1 HOUR)").code())
        .isEqualTo(ErrorCode.UNKNOWN_NAME);
    assertThat(error("SELECT id FROM with_watermark(s, said, INTERVAL 1 HOUR)"))
        .hasMessageContaining("needs a TIMESTAMP column; said is VARCHAR");
    assertThat(error("SELECT id FROM with_watermark(s, ts, INTERVAL '-1 hour')"))
        .hasMessageContaining("zero or more");
    assertThat(error("SELECT id FROM with_watermark(s, ts, 'soon')"))
        .hasMessageContaining("zero or more");
    assertThat(error("SELECT id FROM with_watermark(s, ts)"))
        .hasMessageContaining("takes a stream, its time column");
    assertThat(error("SELECT id FROM with_watermark(nowhere, ts, INTERVAL 1 HOUR)"))
        .hasMessageContaining("There is no stream");
  }
}

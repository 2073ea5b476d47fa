package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.JobFile;
import io.tidemill.query.job.JobParser;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.StatefulOperator;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowTimesTest {
  private static final String DEFINITIONS =
      "CREATE STREAM s (k VARCHAR, v INTEGER, ts TIMESTAMP, WATERMARK FOR ts AS ts - INTERVAL 10"
          + " SECONDS) WITH (connector = 'x');"
          + "CREATE TABLE days (k VARCHAR, ts TIMESTAMP) WITH (connector = 'x');"
          + "CREATE SINK r WITH (connector = 'y');";
  private static final String COUNTS =
      "WITH counts AS (SELECT window(ts, '5 seconds'), k, count(*) AS n FROM s GROUP BY window(ts,"
          + " '5 seconds'), k) ";

  private static List<StatefulOperator> operators(String query) {
    QueryPlan plan = Jobs.plan(DEFINITIONS + "INSERT INTO r " + query);
    return plan.stateful().stream().map(s -> s.operator().orElseThrow()).toList();
  }

  @Test
  void aWindowOfAWindowKeepsItsEventTime() {
    List<StatefulOperator> operators =
        operators(
            COUNTS
                + "SELECT window(window, '10 seconds'), sum(n) AS n FROM counts GROUP BY"
                + " window(window, '10 seconds')");
    assertThat(operators).hasSize(2).allMatch(o -> o.eventTime().isPresent());
  }

  @Test
  void theTimeOfAWindowIsAnEventTime() {
    List<StatefulOperator> operators =
        operators(
            COUNTS
                + ", timed AS (SELECT window_time(window) AS at_time, n FROM counts) SELECT"
                + " window(at_time, '10 seconds'), sum(n) AS n FROM timed GROUP BY window(at_time,"
                + " '10 seconds')");
    assertThat(operators).hasSize(2).allMatch(o -> o.eventTime().isPresent());
  }

  @Test
  void theTimeOfAnythingElseIsRefused() {
    assertThatThrownBy(() -> operators(COUNTS + "SELECT window_time(n) FROM counts"))
        .hasMessageContaining("window_time takes one window")
        .extracting(e -> ((TidemillException) e).code())
        .isEqualTo(ErrorCode.ILLEGAL_QUERY);
  }

  @Test
  void aReplacedColumnIsNoEventTimeAnyMore() {
    assertThat(
            operators(
                "SELECT ts, count(*) AS n FROM (SELECT * RENAME (v AS w) FROM s) GROUP BY ts"))
        .allMatch(o -> o.eventTime().isPresent());
    assertThatThrownBy(
            () ->
                operators(
                    "SELECT ts, count(*) AS n FROM (SELECT * REPLACE (date_trunc('day', ts) AS ts)"
                        + " FROM s) GROUP BY ts"))
        .hasMessageContaining("needs a watermark on the grouping keys");
    assertThatThrownBy(
            () ->
                operators(
                    "SELECT ts, count(*) AS n FROM (SELECT d.* FROM s JOIN days AS d ON s.k = d.k)"
                        + " GROUP BY ts"))
        .hasMessageContaining("needs a watermark on the grouping keys");
  }

  @Test
  void analysisTellsColumnsAndPointsAtMistakes() {
    JobFile file = JobParser.parse(new JobText("definitions", DEFINITIONS), Variables.none());
    try (QueryAnalysis analysis = new QueryAnalysis()) {
      Schema columns =
          analysis.columns(
              file,
              QueryText.of("query", COUNTS + "SELECT window.start AS at_time, n FROM counts"),
              new Jobs.Declared());
      assertThat(columns).isEqualTo(Schema.of("at_time", "TIMESTAMP", "n", "BIGINT"));
      assertThat(
              analysis.columns(
                  file, QueryText.of("query", "SELECT k FROM days"), new Jobs.Declared()))
          .isEqualTo(Schema.of("k", "VARCHAR"));
      assertThatThrownBy(
              () ->
                  analysis.columns(
                      file, QueryText.of("query", "SELECT v + vv FROM s"), new Jobs.Declared()))
          .isInstanceOf(TidemillException.class)
          .hasMessageContaining("at=query:1:12");
    }
  }
}

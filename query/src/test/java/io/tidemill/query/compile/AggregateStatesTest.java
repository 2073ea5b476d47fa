package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.job.QueryText;
import io.tidemill.query.plan.AggregateState;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which aggregates keep a small state, and which keep the list of their arguments. */
class AggregateStatesTest {
  private static DuckSql sql;
  private static AggregateStates states;

  @BeforeAll
  static void open() {
    sql = new DuckSql();
    Schema input =
        Schema.of(
            "i",
            "INTEGER",
            "l",
            "BIGINT",
            "h",
            "HUGEINT",
            "ub",
            "UBIGINT",
            "f",
            "FLOAT",
            "d",
            "DOUBLE",
            "c",
            "DECIMAL(18,2)",
            "c38",
            "DECIMAL(38,10)",
            "s",
            "VARCHAR",
            "b",
            "BOOLEAN",
            "ts",
            "TIMESTAMP",
            "dt",
            "DATE",
            "tm",
            "TIME",
            "iv",
            "INTERVAL",
            "bl",
            "BLOB",
            "u",
            "UUID",
            "li",
            "INTEGER[]",
            "st",
            "STRUCT(a INTEGER, b VARCHAR)");
    Context context =
        new Context(sql, new Catalog(), QueryText.of("test", "SELECT 1"), OutputMode.UPDATE);
    states = new AggregateStates(context, input);
  }

  @AfterAll
  static void close() {
    sql.close();
  }

  private static AggregateState state(String call) throws SqlMistake {
    return states.of("a", sql.parseExpression(call));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count(*)",
        "count(i)",
        "sum(i)",
        "sum(l)",
        "sum(h)",
        "sum(ub)",
        "sum(d)",
        "sum(f)",
        "sum(c)",
        "sum(c38)",
        "sum(b)",
        "avg(i)",
        "avg(l)",
        "avg(d)",
        "avg(c)",
        "avg(ts)",
        "avg(iv)",
        "stddev(d)",
        "stddev_pop(i)",
        "var_samp(d)",
        "variance(f)",
        "sem(d)",
        "corr(d, i)",
        "covar_pop(d, i)",
        "covar_samp(d, i)",
        "regr_slope(d, i)",
        "regr_intercept(d, i)",
        "regr_r2(d, i)",
        "regr_count(d, i)",
        "regr_avgx(d, i)",
        "regr_sxx(d, i)",
        "regr_sxy(d, i)",
        "skewness(d)",
        "kurtosis(d)",
        "kurtosis_pop(d)",
        "approx_count_distinct(s)",
        "approx_quantile(d, 0.5)",
        "approx_quantile(i, [0.1, 0.9])",
        "approx_top_k(s, 3)",
        "quantile_cont(d, 0.5)",
        "quantile_cont(i, [0.1, 0.9])",
        "quantile_disc(s, 0.5)",
        "median(d)",
        "median(ts)",
        "mad(d)",
        "list(i)",
        "array_agg(st)",
        "string_agg(s, '-')",
        "arg_min(s, i)",
        "arg_max(i, ts)",
        "arg_max(u, ts)",
        "first(s)",
        "last(ts)",
        "product(d)",
        "fsum(d)",
        "favg(d)",
        "count_if(b)",
        "count(s) FILTER (WHERE i > 3)",
        "sum(i) FILTER (WHERE b)"
      })
  void exportsTheState(String call) throws SqlMistake {
    assertThat(state(call).partial()).contains("EXPORT_STATE");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "min(i)",
        "max(h)",
        "max(ts)",
        "max(dt)",
        "max(tm)",
        "max(s)",
        "max(bl)",
        "max(u)",
        "min(li)",
        "max(st)",
        "max(iv)",
        "any_value(ts)",
        "bool_and(b)",
        "bool_or(b)",
        "bit_and(i)",
        "bit_or(l)",
        "bit_xor(h)",
        "max(s) FILTER (WHERE b)"
      })
  void keepsTheValueItself(String call) throws SqlMistake {
    AggregateState state = state(call);
    assertThat(state.partial()).doesNotContain("EXPORT_STATE").doesNotContain("list(");
    assertThat(state.storageType()).isEqualTo(Context.storableType(state.resultType()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode(i)",
        "histogram(s)",
        "entropy(s)",
        "max(i, 3)",
        "arg_max(s, i, 3)",
        "reservoir_quantile(d, 0.5)",
        "bitstring_agg(i, 0, 100)",
        "count(DISTINCT s)",
        "sum(DISTINCT i)",
        "string_agg(DISTINCT s, ',')",
        "list(i ORDER BY d)",
        "first(s ORDER BY ts)"
      })
  void keepsTheListOfArguments(String call) throws SqlMistake {
    assertThat(state(call).partial()).contains("list(");
    assertThat(state(call).storageType()).startsWith("STRUCT(").endsWith("[]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sum(l)", "avg(l)", "sum(c)", "min(h)", "first(h)", "mode(h)"})
  void storesNoTypeThatFilesRound(String call) throws SqlMistake {
    assertThat(state(call).storageType()).doesNotContain("HUGEINT");
  }

  private static final List<String> PARTS =
      List.of(
          "SELECT NULL::INTEGER AS i, NULL::BIGINT AS l, NULL::HUGEINT AS h, NULL::UBIGINT AS ub,"
              + " NULL::DECIMAL(18,2) AS c, NULL::DECIMAL(38,10) AS c38, NULL::BOOLEAN AS b",
          "SELECT 5::INTEGER AS i, -7::BIGINT AS l, 11::HUGEINT AS h, 3::UBIGINT AS ub,"
              + " -1.25::DECIMAL(18,2) AS c, 0.5::DECIMAL(38,10) AS c38, true AS b",
          "SELECT unnest([2, 9])::INTEGER AS i, 9223372036854775807 AS l,"
              + " 99999999999999999999::HUGEINT AS h, 18446744073709551615::UBIGINT AS ub,"
              + " 9999999999999999.99::DECIMAL(18,2) AS c, -0.5::DECIMAL(38,10) AS c38, false AS b");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count(*)",
        "count(i)",
        "count(i) FILTER (WHERE i > 2)",
        "sum(i)",
        "sum(l)",
        "sum(h)",
        "sum(ub)",
        "sum(c)",
        "sum(c38)",
        "sum(i) FILTER (WHERE b)"
      })
  void twoNumbersMergeBySummingThem(String call) throws SqlMistake {
    AggregateState state = state(call);
    for (String one : PARTS) {
      for (String other : PARTS) {
        String left = "SELECT " + state.partial() + " AS a FROM (" + one + ")";
        String right = "SELECT " + state.partial() + " AS a FROM (" + other + ")";
        String merged =
            "SELECT " + state.merged("a") + " FROM (" + left + " UNION ALL " + right + ")";
        String summed =
            "SELECT "
                + state.sumOf("l.a", "r.a").orElseThrow()
                + " FROM ("
                + left
                + ") l, ("
                + right
                + ") r";
        assertThat(sql.scalar("SELECT (" + summed + ")::VARCHAR"))
            .isEqualTo(sql.scalar("SELECT (" + merged + ")::VARCHAR"));
        assertThat(sql.describe(summed).columns().get(0).type()).isEqualTo(state.storageType());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sum(d)", "sum(f)", "avg(i)", "min(i)", "list(i)", "count(DISTINCT i)"})
  void whatIsNoPlainNumberMergesAsAGroup(String call) throws SqlMistake {
    assertThat(state(call).sum()).isEmpty();
  }
}

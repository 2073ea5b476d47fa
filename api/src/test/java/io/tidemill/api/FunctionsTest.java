package io.tidemill.api;

import static io.tidemill.api.functions.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What functions mean, evaluated over rows in memory. */
class FunctionsTest {
  private static Session session;

  @BeforeAll
  static void open() {
    session = Session.builder().master("local").getOrCreate();
  }

  @AfterAll
  static void close() {
    session.close();
  }

  private static Dataset<Row> table(String schema, Object... values) {
    return session.createDataFrame(List.of(Row.of(values)), schema);
  }

  private static Object value(Column column, String schema, Object... values) {
    return table(schema, values).select(column.as("r")).collectAsList().get(0).get(0);
  }

  private static Object value(Column column) {
    return value(column, "x INT", 1);
  }

  private static Object aggregate(Column column, String schema, Row... rows) {
    return session
        .createDataFrame(List.of(rows), schema)
        .agg(column.as("r"))
        .collectAsList()
        .get(0)
        .get(0);
  }

  @Test
  void operatorsBindAsTheyAreCalled() {
    Column two = lit(2);
    assertThat(value(two.plus(3).multiply(4))).isEqualTo(20);
    assertThat(value(two.plus(lit(3).multiply(4)))).isEqualTo(14);
    assertThat(value(lit(10).minus(lit(4).minus(1)))).isEqualTo(7);
    assertThat(value(lit(7).divide(2))).isEqualTo(3.5);
    assertThat(value(lit(7).mod(4))).isEqualTo(3);
    assertThat(value(not(lit(true).or(lit(true)).and(lit(false))))).isEqualTo(true);
    assertThat(value(lit(1).equalTo(2).or(lit(3).gt(2)).and(lit(false)))).isEqualTo(false);
    assertThat(value(lit(-5).negate())).isEqualTo(5);
    assertThat(value(lit(5).between(1, 5).and(lit(5).isin(4, 5)))).isEqualTo(true);
    assertThat(value(lit(5).isin())).isEqualTo(false);
    assertThat(value(expr("1 + 1").multiply(3))).isEqualTo(6);
  }

  @Test
  void nullsCompareAsInSql() {
    assertThat(value(lit(null).equalTo(1))).isNull();
    assertThat(value(lit(null).eqNullSafe(lit(null)))).isEqualTo(true);
    assertThat(value(col("x").isNull(), "x INT", new Object[] {null})).isEqualTo(true);
    assertThat(value(coalesce(lit(null), col("x")))).isEqualTo(1);
    assertThat(value(concat(lit("a"), lit(null)))).isNull();
    assertThat(value(concat_ws("-", lit("a"), lit(null), lit("b")))).isEqualTo("a-b");
  }

  @Test
  void constantsKeepTheirValue() {
    assertThat(value(lit("it's \"so\""))).isEqualTo("it's \"so\"");
    assertThat(value(lit(1L << 40))).isEqualTo(1L << 40);
    assertThat(value(lit(0.1))).isEqualTo(0.1);
    assertThat(value(lit(Double.NaN).isNaN())).isEqualTo(true);
    assertThat(value(lit(new BigDecimal("1.50")))).isEqualTo(new BigDecimal("1.50"));
    assertThat(value(lit(Instant.parse("2024-02-29T01:02:03.000004Z"))))
        .isEqualTo(Instant.parse("2024-02-29T01:02:03.000004Z"));
    assertThat(value(lit(LocalDate.of(2024, 2, 29)))).isEqualTo(LocalDate.of(2024, 2, 29));
    assertThat(value(lit(new byte[] {0, -1}))).isEqualTo(new byte[] {0, -1});
  }

  @Test
  void choicesTakeTheFirstBranchThatHolds() {
    Column size = when(col("x").gt(10), "big").when(col("x").gt(5), "middle").otherwise("small");
    assertThat(value(size, "x INT", 11)).isEqualTo("big");
    assertThat(value(size, "x INT", 6)).isEqualTo("middle");
    assertThat(value(size, "x INT", 1)).isEqualTo("small");
    assertThat(value(when(col("x").gt(5), 1))).isNull();
    assertThatThrownBy(() -> size.otherwise("twice")).hasMessageContaining("before any otherwise");
  }

  @Test
  void textsFollowSpark() {
    assertThat(value(concat(upper(lit("a")), lower(lit("B"))))).isEqualTo("Ab");
    assertThat(value(substring(lit("abcdef"), 2, 3))).isEqualTo("bcd");
    assertThat(value(lit("abcdef").substr(0, 2))).isEqualTo("ab");
    assertThat(value(length(lit("aüc")))).isEqualTo(3);
    assertThat(value(trim(lit("  a ")))).isEqualTo("a");
    assertThat(value(split(lit("a1b22c"), "[0-9]+"))).isEqualTo(List.of("a", "b", "c"));
    assertThat(value(regexp_extract(lit("k=v"), "(\\w)=(\\w)", 2))).isEqualTo("v");
    assertThat(value(regexp_extract(lit("kv"), "(\\w)=(\\w)", 2))).isEqualTo("");
    assertThat(value(regexp_replace(lit("a-b-c"), "(\\w)-", "$1+"))).isEqualTo("a+b+c");
    assertThat(value(lit("a%b").like("a\\%b"))).isEqualTo(true);
    assertThat(value(lit("axb").like("a\\%b"))).isEqualTo(false);
    assertThat(value(lit("abc").rlike("^a.c$"))).isEqualTo(true);
    assertThat(value(lit("abc").startsWith("ab").and(lit("abc").endsWith("bc")))).isEqualTo(true);
    assertThat(value(lit("abc").contains("b"))).isEqualTo(true);
    assertThat(value(instr(lit("abc"), "c"))).isEqualTo(3);
    assertThat(value(lpad(lit("7"), 3, "0"))).isEqualTo("007");
    assertThat(value(sha2(lit(""), 256)).toString()).startsWith("e3b0c442");
  }

  @Test
  void bytesBecomeTextAsUtf8() {
    byte[] bytes = {(byte) 0xC3, (byte) 0xA4};
    assertThat(value(col("b").cast("string"), "b BINARY", bytes)).isEqualTo("ä");
    assertThat(value(expr("CAST(b AS STRING)"), "b BINARY", bytes)).isEqualTo("ä");
    assertThat(value(col("b").cast("string"), "b BINARY", new byte[] {-1})).isNull();
    assertThat(value(decode(encode(lit("ä"), "UTF-8"), "UTF-8"))).isEqualTo("ä");
  }

  @Test
  void castsFailOrGiveNull() {
    assertThat(value(lit("12").cast("int"))).isEqualTo(12);
    assertThat(value(lit("x").try_cast("int"))).isNull();
    assertThat(value(lit("1.005").cast("decimal(18,3)"))).isEqualTo(new BigDecimal("1.005"));
    assertThat(value(lit("7").cast("decimal"))).isEqualTo(new BigDecimal("7"));
    assertThatThrownBy(() -> value(lit("x").cast("int"))).hasMessageContaining("Could not convert");
    assertThatThrownBy(() -> lit(1).cast("array<")).hasMessageContaining("no type");
  }

  @Test
  void numbersFollowSpark() {
    assertThat(value(floor(lit(-1.5)))).isEqualTo(-2L);
    assertThat(value(ceil(lit(1.2)))).isEqualTo(2L);
    assertThat(value(round(lit(new BigDecimal("2.5"))).cast("int"))).isEqualTo(3);
    assertThat(value(round(lit(1.255), 1))).isEqualTo(1.3);
    assertThat(value(abs(lit(-3)))).isEqualTo(3);
    assertThat(value(pow(lit(2), 10))).isEqualTo(1024.0);
    assertThat((Double) value(rand())).isBetween(0.0, 1.0);
  }

  @Test
  void timesFollowSpark() {
    Instant time = Instant.parse("2024-02-29T23:59:58.123Z");
    assertThat(value(to_timestamp(lit("2024-03-01T01:59:58.123+02:00")))).isEqualTo(time);
    assertThat(value(to_timestamp(lit("29.02.2024 23:59"), "dd.MM.yyyy HH:mm")))
        .isEqualTo(Instant.parse("2024-02-29T23:59:00Z"));
    assertThat(value(try_to_timestamp(lit("soon"), "yyyy"))).isNull();
    assertThat(value(date_format(lit(time), "yyyy-MM-dd'T'HH:mm:ss.SSS")))
        .isEqualTo("2024-02-29T23:59:58.123");
    assertThat(value(date_trunc("hour", lit(time))))
        .isEqualTo(Instant.parse("2024-02-29T23:00:00Z"));
    assertThat(value(to_date(lit(time)))).isEqualTo(LocalDate.of(2024, 2, 29));
    assertThat(value(timestamp_seconds(lit(1)))).isEqualTo(Instant.ofEpochSecond(1));
    assertThat(value(timestamp_millis(lit(time.toEpochMilli())))).isEqualTo(time);
    assertThat(value(unix_timestamp(lit(time)))).isEqualTo(time.getEpochSecond());
    assertThat(value(dayofweek(lit(time)))).isEqualTo(5);
    assertThat(value(date_add(lit(time), 1))).isEqualTo(LocalDate.of(2024, 3, 1));
    assertThat(value(datediff(lit(LocalDate.of(2024, 3, 1)), lit(LocalDate.of(2024, 2, 28)))))
        .isEqualTo(2);
    assertThat((Instant) value(current_timestamp())).isAfter(time);
    assertThatThrownBy(() -> date_format(lit(time), "QQ")).hasMessageContaining("not supported");
  }

  @Test
  void listsAndStructs() {
    Column list = array(lit("a"), lit("b"));
    assertThat(value(list.getItem(0))).isEqualTo("a");
    assertThat(value(list.getItem(2))).isNull();
    assertThat(value(element_at(list, 1))).isEqualTo("a");
    assertThat(value(size(list))).isEqualTo(2);
    assertThat(value(array_contains(list, "b"))).isEqualTo(true);
    assertThat(value(map(lit("k"), lit(5)).getItem("k"))).isEqualTo(5);
    assertThat(value(struct(col("x"), lit(2).as("y")).getField("y"))).isEqualTo(2);
    assertThat(value(col("s.a"), "s STRUCT<a: INT>", java.util.Map.of("a", 3))).isEqualTo(3);
  }

  @Test
  void explodeGivesARowForEachElement() {
    Dataset<Row> rows =
        session.createDataFrame(
            List.of(Row.of(1, List.of("a", "b")), Row.of(2, List.of()), Row.of(3, null)),
            "id INT, tags ARRAY<STRING>");
    assertThat(rows.select(col("id"), explode(col("tags"))).collectAsList())
        .containsExactly(Row.of(1, "a"), Row.of(1, "b"));
    assertThat(rows.select(col("id"), explode_outer(col("tags")).as("tag")).collectAsList())
        .containsExactly(Row.of(1, "a"), Row.of(1, "b"), Row.of(2, null), Row.of(3, null));
  }

  @Test
  void jsonIsReadLenientlyAndWrittenWithoutNulls() {
    Column parsed = from_json(col("s"), "a INT, b STRING");
    assertThat(value(parsed.getField("a"), "s STRING", "{\"a\":1}")).isEqualTo(1);
    assertThat(value(parsed.getField("a"), "s STRING", "{bad")).isNull();
    assertThat(value(parsed.isNull(), "s STRING", "{bad")).isEqualTo(false);
    assertThat(value(parsed.isNull(), "s STRING", " ")).isEqualTo(true);
    assertThat(value(size(from_json(col("s"), "ARRAY<INT>")), "s STRING", "[1,2]")).isEqualTo(2);
    assertThat(value(to_json(struct(col("x"), lit(null).as("y"))))).isEqualTo("{\"x\":1}");
    assertThat(value(get_json_object(lit("{\"a\":{\"b\":5}}"), "$.a.b"))).isEqualTo("5");
    assertThatThrownBy(() -> from_json(col("s"), "a INT", java.util.Map.of("mode", "FAILFAST")))
        .hasMessageContaining("PERMISSIVE only");
  }

  @Test
  void aggregatesFollowSpark() {
    Row[] rows = {Row.of("a", 1), Row.of(null, 3), Row.of("b", 2), Row.of("a", null)};
    String schema = "s STRING, v INT";
    assertThat(aggregate(count("*"), schema, rows)).isEqualTo(4L);
    assertThat(aggregate(count("s"), schema, rows)).isEqualTo(3L);
    assertThat(aggregate(countDistinct("s"), schema, rows)).isEqualTo(2L);
    assertThat(aggregate(countDistinct("s", "v"), schema, rows)).isEqualTo(2L);
    assertThat(aggregate(sum("v"), schema, rows)).isEqualTo(6L);
    assertThat(aggregate(avg("v"), schema, rows)).isEqualTo(2.0);
    assertThat(aggregate(max_by(col("s"), col("v")), schema, rows)).isNull();
    assertThat(aggregate(min_by(col("s"), col("v")), schema, rows)).isEqualTo("a");
    assertThat(aggregate(first("s"), schema, rows)).isEqualTo("a");
    assertThat(aggregate(last(col("v")), schema, rows)).isNull();
    assertThat(aggregate(last(col("v"), true), schema, rows)).isEqualTo(2);
    assertThat(aggregate(collect_list("s"), schema, rows)).isEqualTo(List.of("a", "b", "a"));
    assertThat((List<?>) aggregate(collect_set("s"), schema, rows))
        .isEqualTo(Arrays.asList("a", "b"));
    assertThat(aggregate(collect_list("s"), schema, Row.of(null, 1))).isEqualTo(List.of());
    assertThat(aggregate(approx_count_distinct("s"), schema, rows)).isEqualTo(2L);
    assertThat(aggregate(sum(col("v")).plus(1), schema, rows)).isEqualTo(7L);
  }

  @Test
  void columnsAreNamedAsInSpark() {
    Dataset<Row> rows = table("v INT, s STRING", 1, "x");
    assertThat(
            rows.select(
                    col("v"),
                    col("v").plus(1),
                    upper(col("s")),
                    col("v").cast("string"),
                    lit(5),
                    expr("CAST(s AS STRING)").as("t"))
                .columns())
        .containsExactly("v", "(v + 1)", "upper(s)", "v", "5", "t");
    assertThat(rows.groupBy("s").agg(sum("v"), count("*"), avg("v")).columns())
        .containsExactly("s", "sum(v)", "count(1)", "avg(v)");
    assertThat(rows.selectExpr("CAST(v AS STRING)", "v + 1 AS w", "*").columns())
        .containsExactly("v", "w", "v", "s");
  }
}

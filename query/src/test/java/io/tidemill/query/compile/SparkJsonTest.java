package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class SparkJsonTest {
  private static final DuckSql DUCK = new DuckSql();

  @AfterAll
  static void close() {
    DUCK.close();
  }

  /** The value as text, of a call over a column. */
  private static String value(String text, String structure) {
    String literal = text == null ? "NULL::VARCHAR" : Sql.text(text);
    String query =
        "SELECT CAST(from_json(s, "
            + Sql.text(structure)
            + ") AS VARCHAR) AS v FROM (SELECT "
            + literal
            + " AS s)";
    try {
      return DUCK.scalar(DUCK.text(SparkJson.lenient(DUCK, DUCK.parse(query))));
    } catch (SqlMistake e) {
      throw new AssertionError(e);
    }
  }

  private static String field(String json, String type) {
    return value("{\"v\":" + json + ",\"w\":1}", "{\"v\":\"" + type + "\"}")
        .replaceFirst("^\\{'v': (.*)}$", "$1");
  }

  @Test
  void malformedTextGivesAStructOfNulls() {
    String structure = "{\"a\":\"BIGINT\",\"b\":\"VARCHAR\"}";
    String nulls = "{'a': NULL, 'b': NULL}";
    assertThat(value("{bad", structure)).isEqualTo(nulls);
    assertThat(value("not json", structure)).isEqualTo(nulls);
    assertThat(value("[]", structure)).isEqualTo(nulls);
    assertThat(value("7", structure)).isEqualTo(nulls);
    assertThat(value("{\"a\":1,\"b\":", structure)).isEqualTo(nulls);
  }

  @Test
  void nullAndBlankTextGiveNull() {
    assertThat(value(null, "{\"a\":\"BIGINT\"}")).isNull();
    assertThat(value("", "{\"a\":\"BIGINT\"}")).isNull();
    assertThat(value(" \n\t ", "{\"a\":\"BIGINT\"}")).isNull();
  }

  @Test
  void aMemberOfAnotherTypeIsNullAndTheOthersAreKept() {
    String structure = "{\"a\":\"BIGINT\",\"b\":\"VARCHAR\",\"c\":\"BOOLEAN\"}";
    assertThat(value("{\"a\":\"xx\",\"b\":\"kept\",\"c\":true}", structure))
        .isEqualTo("{'a': NULL, 'b': kept, 'c': true}");
    assertThat(value("{\"a\":1,\"b\":{\"x\":1},\"c\":\"true\"}", structure))
        .isEqualTo("{'a': 1, 'b': '{\"x\":1}', 'c': NULL}");
    assertThat(value("{\"zzz\":[1,2],\"b\":5}", structure))
        .isEqualTo("{'a': NULL, 'b': 5, 'c': NULL}");
  }

  @Test
  void wholeNumbersAreNeverRoundedOrReadFromTexts() {
    assertThat(field("42", "INTEGER")).isEqualTo("42");
    assertThat(field("-7", "BIGINT")).isEqualTo("-7");
    assertThat(field("4.7", "INTEGER")).isEqualTo("NULL");
    assertThat(field("\"5\"", "BIGINT")).isEqualTo("NULL");
    assertThat(field("3000000000", "INTEGER")).isEqualTo("NULL");
    assertThat(field("12345678901234567890", "BIGINT")).isEqualTo("NULL");
  }

  @Test
  void decimalsKeepTheirDigitsFromNumbersAndTexts() {
    assertThat(field("12.5", "DECIMAL(10,2)")).isEqualTo("12.50");
    assertThat(field("\"7.25\"", "DECIMAL(10,2)")).isEqualTo("7.25");
    assertThat(field("1.005", "DECIMAL(18,3)")).isEqualTo("1.005");
    assertThat(field("true", "DECIMAL(18,3)")).isEqualTo("NULL");
  }

  @Test
  void doublesTakeNumbersAndTheNamesOfSpecialValues() {
    assertThat(field("2", "DOUBLE")).isEqualTo("2.0");
    assertThat(field("\"NaN\"", "DOUBLE")).isEqualTo("nan");
    assertThat(field("\"2\"", "DOUBLE")).isEqualTo("NULL");
  }

  @Test
  void timesAreReadWithTheirOffset() {
    assertThat(field("\"2024-01-01T02:00:10+02:00\"", "TIMESTAMP"))
        .isEqualTo("'2024-01-01 00:00:10'");
    assertThat(field("\"2024-01-01T00:00:10.123Z\"", "TIMESTAMP"))
        .isEqualTo("'2024-01-01 00:00:10.123'");
    assertThat(field("\"yesterday\"", "TIMESTAMP")).isEqualTo("NULL");
    assertThat(field("10", "TIMESTAMP")).isEqualTo("'1970-01-01 00:00:10'");
    assertThat(field("\"2024-02-29\"", "DATE")).isEqualTo("2024-02-29");
    assertThat(field("\"2023-02-29\"", "DATE")).isEqualTo("NULL");
  }

  @Test
  void nestedValuesFollowTheSameRules() {
    String structure = "{\"o\":{\"p\":\"VARCHAR\",\"q\":\"INTEGER\"},\"xs\":[\"BIGINT\"]}";
    assertThat(value("{\"o\":{\"p\":\"x\",\"q\":1.5},\"xs\":[1,null,\"2\"]}", structure))
        .isEqualTo("{'o': {'p': x, 'q': NULL}, 'xs': NULL}");
    assertThat(value("{\"o\":5,\"xs\":{}}", structure)).isEqualTo("{'o': NULL, 'xs': NULL}");
    assertThat(value("{\"o\":null,\"xs\":[]}", structure)).isEqualTo("{'o': NULL, 'xs': []}");
    assertThat(value("{\"m\":{\"k\":1,\"l\":\"x\"}}", "{\"m\":\"MAP(VARCHAR, INTEGER)\"}"))
        .isEqualTo("{'m': NULL}");
    assertThat(value("{\"xs\":[1,2]}", "{\"xs\":\"INTEGER[]\"}")).isEqualTo("{'xs': [1, 2]}");
  }

  @Test
  void aStructureMayBeAnArray() {
    assertThat(value("[{\"a\":1},{\"a\":\"x\"}]", "[{\"a\":\"INTEGER\"}]"))
        .isEqualTo("[{'a': 1}, {'a': NULL}]");
    assertThat(value("{bad", "[\"INTEGER\"]")).isNull();
    assertThat(value("", "[\"INTEGER\"]")).isNull();
  }

  @Test
  void namesNeedNoCare() {
    assertThat(value("{\"select\":1,\"a b\":2}", "{\"select\":\"INTEGER\",\"a b\":\"INTEGER\"}"))
        .isEqualTo("{'select': 1, 'a b': 2}");
  }

  @Test
  void aStructureThatDuckDbDoesNotKnowIsLeftToIt() {
    assertThatThrownBy(() -> value("{}", "{\"a\":\"NO_TYPE\"}")).hasMessageContaining("NO_TYPE");
  }
}

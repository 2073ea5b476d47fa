package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What from_json gives in a job; the expectations are those of Spark 4.2.0. */
class SparkJsonTypesTest {
  private static DuckSql sql;

  @BeforeAll
  static void open() {
    sql = new DuckSql();
  }

  @AfterAll
  static void close() {
    sql.close();
  }

  /** The value of an expression over j, the result of from_json. */
  private static String fromJson(String text, String structure, String expression)
      throws SqlMistake {
    String literal = text == null ? "CAST(NULL AS VARCHAR)" : Sql.text(text);
    Select query =
        sql.parse(
            "SELECT from_json(t, "
                + Sql.text(structure)
                + ") AS j FROM (VALUES ("
                + literal
                + ")) AS v(t)");
    String rewritten = sql.text(SparkJson.lenient(sql, query));
    return sql.scalar("SELECT CAST(" + expression + " AS VARCHAR) FROM (" + rewritten + ")");
  }

  @TestFactory
  Stream<DynamicTest> fieldIsNullUnlessItsValueHasItsType() {
    return Stream.of(
            "BIGINT 1 = 1",
            "BIGINT -0 = 0",
            "BIGINT 1.0 = null",
            "BIGINT 4.7 = null",
            "BIGINT 1e3 = null",
            "BIGINT \"1\" = null",
            "BIGINT true = null",
            "BIGINT {\"p\":1} = null",
            "BIGINT 99999999999999999999 = null",
            "SMALLINT 99999 = null",
            "DOUBLE 1 = 1.0",
            "DOUBLE 0.5 = 0.5",
            "DOUBLE \"1\" = null",
            "DOUBLE \"NaN\" = nan",
            "BOOLEAN true = true",
            "BOOLEAN \"true\" = null",
            "BOOLEAN 1 = null",
            "DECIMAL(10,2) 12.5 = 12.50",
            "DECIMAL(10,2) \"7.25\" = 7.25",
            "DECIMAL(10,2) 1.005 = 1.01",
            "DECIMAL(10,2) 123456789.12 = null",
            "DECIMAL(10,2) \"x\" = null",
            "DECIMAL(18,2) 0.30000000000000004 = 0.30",
            "DECIMAL(38,2) \"12345678901234567890.12\" = 12345678901234567890.12",
            "VARCHAR \"x\" = x",
            "VARCHAR 5 = 5",
            "VARCHAR true = true",
            "VARCHAR {\"x\" : 1} = {\"x\":1}",
            "DATE \"2024-02-29\" = 2024-02-29",
            "DATE \"2024-13-01\" = null",
            "TIMESTAMP \"2024-01-01T02:00:00+02:00\" = 2024-01-01 00:00:00",
            "TIMESTAMP 1704067200 = 2024-01-01 00:00:00",
            "TIMESTAMP 1.5 = null",
            "BLOB \"YWI=\" = ab",
            "BLOB \"x\" = null")
        .map(
            line ->
                DynamicTest.dynamicTest(
                    line,
                    () -> {
                      String type = line.substring(0, line.indexOf(' '));
                      String value = line.substring(type.length() + 1, line.lastIndexOf(" = "));
                      String structure = "{\"a\":\"" + type + "\",\"z\":\"INTEGER\"}";
                      String text = "{\"a\":" + value + ",\"z\":7}";
                      assertThat(
                              fromJson(text, structure, "coalesce(CAST(j.a AS VARCHAR), 'null')"))
                          .isEqualTo(line.substring(line.lastIndexOf(" = ") + 3));
                      assertThat(fromJson(text, structure, "j.z")).isEqualTo("7");
                    }));
  }

  @Test
  void malformedTextAndOtherKindsOfJsonGiveAStructureOfNulls() throws SqlMistake {
    String structure = "{\"a\":\"BIGINT\",\"b\":[\"VARCHAR\"]}";
    for (String text : List.of("{bad", "not json", "[]", "[{\"a\":5}]", "1", "null", "{\"a\":1")) {
      assertThat(fromJson(text, structure, "j")).isEqualTo("{'a': NULL, 'b': NULL}");
    }
  }

  @Test
  void nullAndBlankTextGivesNull() throws SqlMistake {
    assertThat(fromJson(null, "{\"a\":\"BIGINT\"}", "j")).isNull();
    assertThat(fromJson("", "{\"a\":\"BIGINT\"}", "j")).isNull();
    assertThat(fromJson(" \n\t ", "{\"a\":\"BIGINT\"}", "j")).isNull();
  }

  @Test
  void blanksAroundAndUnknownMembersDoNotMatter() throws SqlMistake {
    assertThat(fromJson("  {\"zz\":[1,{}],\"a\":1} ", "{\"a\":\"BIGINT\"}", "j"))
        .isEqualTo("{'a': 1}");
  }

  @Test
  void nestedStructureIsNullIfItsValueIsNoObject() throws SqlMistake {
    String structure = "{\"o\":{\"p\":\"BIGINT\"},\"z\":\"INTEGER\"}";
    assertThat(fromJson("{\"o\":{\"p\":\"x\"},\"z\":7}", structure, "j"))
        .isEqualTo("{'o': {'p': NULL}, 'z': 7}");
    assertThat(fromJson("{\"o\":[1],\"z\":7}", structure, "j")).isEqualTo("{'o': NULL, 'z': 7}");
    assertThat(fromJson("{\"o\":null,\"z\":7}", structure, "j")).isEqualTo("{'o': NULL, 'z': 7}");
  }

  @Test
  void oneWrongElementSpoilsAList() throws SqlMistake {
    String structure = "{\"xs\":[\"BIGINT\"]}";
    assertThat(fromJson("{\"xs\":[1, 2 ,null]}", structure, "j")).isEqualTo("{'xs': [1, 2, NULL]}");
    assertThat(fromJson("{\"xs\":[]}", structure, "j")).isEqualTo("{'xs': []}");
    assertThat(fromJson("{\"xs\":[1,\"x\"]}", structure, "j")).isEqualTo("{'xs': NULL}");
    assertThat(fromJson("{\"xs\":5}", structure, "j")).isEqualTo("{'xs': NULL}");
  }

  @Test
  void listsAndMapsOnTopAreNullWhereTextIsNoneOfThem() throws SqlMistake {
    assertThat(fromJson("[1,2]", "[\"BIGINT\"]", "j")).isEqualTo("[1, 2]");
    assertThat(fromJson("[1,2]", "\"BIGINT[]\"", "j")).isEqualTo("[1, 2]");
    assertThat(fromJson("{bad", "[\"BIGINT\"]", "j")).isNull();
    assertThat(fromJson("{\"a\":1}", "[\"BIGINT\"]", "j")).isNull();
    assertThat(fromJson("{\"a\":1,\"b\":null}", "\"MAP(VARCHAR, BIGINT)\"", "j"))
        .isEqualTo("{a=1, b=NULL}");
    assertThat(fromJson("{\"a\":\"x\"}", "\"MAP(VARCHAR, BIGINT)\"", "j")).isNull();
    assertThat(fromJson("[]", "\"MAP(VARCHAR, BIGINT)\"", "j")).isNull();
  }

  @Test
  void oneStructurePassesForAListOfStructures() throws SqlMistake {
    String structure = "[{\"a\":\"BIGINT\"}]";
    assertThat(fromJson("[{\"a\":5},{\"a\":6}]", structure, "j")).isEqualTo("[{'a': 5}, {'a': 6}]");
    assertThat(fromJson("{\"a\":5}", structure, "j")).isEqualTo("[{'a': 5}]");
    assertThat(fromJson("[1]", structure, "j")).isNull();
  }
}

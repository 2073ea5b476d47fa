package io.tidemill.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.connectors.SourceConnector.Payload;
import io.tidemill.engine.Duck;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecodingTest {
  private static final Schema RAW =
      Schema.of("value", "BLOB", "offset", "BIGINT", "fields", "VARCHAR[]");

  private final Duck duck = new Duck(List.of(), 0);

  @AfterEach
  void close() {
    duck.close();
  }

  private List<Object> decodeJson(String type, boolean required, String record) {
    return decode(
        "json", new Schema(List.of(new Column("x", type, required))), Sql.text(record), "NULL");
  }

  /** The value of x as text, and the error. */
  private List<Object> decode(String format, Schema declared, String value, String fields) {
    duck.execute("CREATE OR REPLACE TABLE raw " + RAW.ddl());
    duck.execute("INSERT INTO raw VALUES (encode(" + value + "), 7, " + fields + ")");
    return decodeRaw(format, declared);
  }

  private List<Object> decodeRaw(String format, Schema declared) {
    Set<String> used = new TreeSet<>(declared.names());
    Payload payload =
        new Payload(format, format.equals("csv") ? "fields" : "value", "'offset ' || \"offset\"");
    Decoding decoding =
        Decoding.plan(RAW, declared, Optional.of(payload), used, Map.of("w", payload.where()));
    return duck.row(
        "SELECT CAST(x AS VARCHAR), " + Decoding.ERROR + " FROM (" + decoding.over("raw") + ")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "DECIMAL(18,2) | 12.34 | 12.34",
        "DECIMAL(18,2) | 12.5 | 12.50",
        "DECIMAL(18,2) | 12.500 | 12.50",
        "DECIMAL(18,2) | -7 | -7.00",
        "DECIMAL(18,2) | \"12.34\" | 12.34",
        "DECIMAL(38,2) | 12345678901234567890.12 | 12345678901234567890.12",
        "DECIMAL(18,2) | 1.5e2 | 150.00",
        "DECIMAL(38,20) | 0.10000000000000000001 | 0.10000000000000000001",
        "DECIMAL(18,2) | 1234567890123456.78 | 1234567890123456.78",
        "BIGINT | 9223372036854775807 | 9223372036854775807",
        "BIGINT | \"42\" | 42",
        "INTEGER | -5 | -5",
        "DOUBLE | 1.5 | 1.5",
        "DOUBLE | 1e300 | 1e+300",
        "DOUBLE | \"NaN\" | nan",
        "BOOLEAN | true | true",
        "VARCHAR | \"a\\\"b\" | a\"b",
        "VARCHAR | 17 | 17",
        "VARCHAR | {\"y\":1} | {\"y\":1}",
        "TIMESTAMP | \"2024-01-01T00:00:00.123Z\" | 2024-01-01 00:00:00.123",
        "TIMESTAMP | \"2024-01-01T02:00:00+02:00\" | 2024-01-01 00:00:00",
        "TIMESTAMP | \"2024-01-01 03:04:05\" | 2024-01-01 03:04:05",
        "TIMESTAMP | \"1969-12-31T23:59:59.5Z\" | 1969-12-31 23:59:59.5",
        "DATE | \"2024-02-29\" | 2024-02-29",
        "BIGINT[] | [1,2,null] | [1, 2, NULL]",
        "BIGINT[] | [] | []",
        "DECIMAL(9,3)[] | [1.005] | [1.005]",
        "STRUCT(a BIGINT, b STRUCT(c VARCHAR, d DOUBLE)) | {\"a\":1,\"b\":{\"c\":\"q\",\"d\":2.5}} |"
            + " {'a': 1, 'b': {'c': q, 'd': 2.5}}",
        "STRUCT(a BIGINT, b VARCHAR) | {\"a\":1} | {'a': 1, 'b': NULL}",
        "STRUCT(sku VARCHAR, qty BIGINT)[] | [{\"sku\":\"s\",\"qty\":2}] | [{'sku': s, 'qty': 2}]",
        "MAP(VARCHAR, BIGINT) | {\"p\":1,\"q\":null} | {p=1, q=NULL}",
        "BLOB | \"aGk=\" | hi",
        "UUID | \"6d62df4a-c0fb-4a00-bb1c-3cb1f7996055\" | 6d62df4a-c0fb-4a00-bb1c-3cb1f7996055",
      })
  void aFittingJsonValueIsTakenExactly(String type, String json, String expected) {
    assertThat(decodeJson(type, false, "{\"x\":" + json + "}")).containsExactly(expected, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "DECIMAL(18,2) | 1.005",
        "DECIMAL(18,2) | 1e-3",
        "DECIMAL(4,2) | 123",
        "DECIMAL(18,2) | \"abc\"",
        "INTEGER | 4.7",
        "INTEGER | 4.0",
        "INTEGER | 3000000000",
        "BIGINT | 12345678901234567890",
        "BIGINT | true",
        "BIGINT | \"0x1F\"",
        "BIGINT | {\"y\":1}",
        "DOUBLE | 1e400",
        "DOUBLE | \"one\"",
        "BOOLEAN | 1",
        "BOOLEAN | \"yes\"",
        "TIMESTAMP | 1704067200",
        "TIMESTAMP | \"2024-13-01T00:00:00Z\"",
        "DATE | \"2024-01-01T10:00\"",
        "BIGINT[] | [1,\"a\"]",
        "BIGINT[] | 5",
        "BIGINT[] | {\"y\":1}",
        "STRUCT(a BIGINT) | [1]",
        "STRUCT(a BIGINT) | {\"a\":\"z\"}",
        "STRUCT(a BIGINT) | 5",
        "MAP(VARCHAR, BIGINT) | {\"p\":\"z\"}",
      })
  void aJsonValueThatWouldBeRoundedOrLostIsMalformed(String type, String json) {
    List<Object> row = decodeJson(type, false, "{\"x\":" + json + "}");
    assertThat(row.get(1)).as("error for %s", json).isEqualTo("x is not a " + type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"x\":1 | not valid JSON",
        "[1] | not a JSON object",
        "17 | not a JSON object",
        "`` | not valid JSON",
        "`   ` | not valid JSON",
        "null | not a JSON object",
      })
  void aTextThatIsNoJsonObjectIsMalformed(String text, String error) {
    assertThat(decodeJson("BIGINT", false, text).get(1)).isEqualTo(error);
  }

  @Test
  void aLongNumberWhoseDigitsCannotBeToldApartIsMalformed() {
    String record = "{\"y\":{\"x\":1234567890123456.78},\"x\":1234567890123456.79}";
    assertThat(decodeJson("DECIMAL(18,2)", false, record).get(1))
        .isEqualTo("x is not a DECIMAL(18,2)");
  }

  @Test
  void aMissingOptionalFieldIsNull() {
    assertThat(decodeJson("BIGINT", false, "{}")).containsExactly(null, null);
    assertThat(decodeJson("BIGINT", false, "{\"x\":null}")).containsExactly(null, null);
  }

  @Test
  void aMissingRequiredFieldIsMalformed() {
    assertThat(decodeJson("BIGINT", true, "{\"y\":1}").get(1)).isEqualTo("x is missing or null");
    assertThat(decodeJson("BIGINT", true, "{\"x\":null}").get(1)).isEqualTo("x is missing or null");
  }

  @Test
  void ofTwoFieldsWithOneNameTheFirstCounts() {
    assertThat(decodeJson("BIGINT", false, "{\"x\":1,\"x\":2}")).containsExactly("1", null);
  }

  @Test
  void bytesThatAreNotUtf8AndMissingValuesAreMalformed() {
    duck.execute("CREATE OR REPLACE TABLE raw " + RAW.ddl());
    duck.execute("INSERT INTO raw VALUES ('\\xFF'::BLOB, 7, NULL)");
    assertThat(decodeRaw("json", Schema.of("x", "BIGINT")).get(1)).isEqualTo("not valid UTF-8");
    duck.execute("UPDATE raw SET value = NULL");
    assertThat(decodeRaw("json", Schema.of("x", "BIGINT")).get(1)).isEqualTo("the value is null");
  }

  @Test
  void onlyAMalformedRecordSaysWhereItIs() {
    Payload payload = new Payload("json", "value", "'offset ' || \"offset\"");
    Decoding decoding =
        Decoding.plan(
            RAW,
            Schema.of("x", "BIGINT"),
            Optional.of(payload),
            Set.of("x"),
            Map.of("w", payload.where()));
    assertThat(decoding.rawColumns()).containsExactly("offset", "value");
    duck.execute("CREATE OR REPLACE TABLE raw " + RAW.ddl());
    duck.execute("INSERT INTO raw VALUES (encode('{}'), 7, NULL), (encode('{'), 8, NULL)");
    assertThat(duck.rows("SELECT w FROM (" + decoding.over("raw") + ")", 9))
        .containsExactly(java.util.Collections.singletonList(null), List.of("offset 8"));
  }

  @Test
  void csvFieldsAreTypedAndCounted() {
    Schema two = Schema.of("x", "BIGINT", "y", "VARCHAR");
    assertThat(decode("csv", two, "''", "['5', 'b']")).containsExactly("5", null);
    assertThat(decode("csv", two, "''", "[NULL, 'b']")).containsExactly(null, null);
    assertThat(decode("csv", two, "''", "['5.5', 'b']").get(1)).isEqualTo("x is not a BIGINT");
    assertThat(decode("csv", two, "''", "['5']").get(1)).isEqualTo("expected 2 fields, found 1");
  }

  @Test
  void columnsBesideThePayloadAreTakenTyped() {
    Schema raw = Schema.of("value", "BLOB", "day", "DATE");
    Schema declared = Schema.of("x", "BIGINT", "day", "DATE");
    Decoding decoding =
        Decoding.plan(
            raw,
            declared,
            Optional.of(new Payload("json", "value", "''", Set.of("day"))),
            Set.of("x", "day"),
            Map.of());
    duck.execute("CREATE OR REPLACE TABLE raw " + raw.ddl());
    duck.execute("INSERT INTO raw VALUES (encode('{\"x\":1,\"day\":5}'), DATE '2024-01-02')");
    assertThat(
            duck.row("SELECT x, day, " + Decoding.ERROR + " FROM (" + decoding.over("raw") + ")"))
        .containsExactly(1L, "2024-01-02", null);
  }

  @Test
  void fieldsMayBeNamedLikeColumnsOfTheDecoding() {
    Schema declared =
        Schema.of(
            "__json", "BIGINT", "__text", "DECIMAL(9,2)", "__error", "VARCHAR", "_offset", "INT");
    Decoding decoding =
        Decoding.plan(
            RAW,
            declared,
            Optional.of(new Payload("json", "value", "''")),
            new TreeSet<>(declared.names()),
            Map.of());
    duck.execute("CREATE OR REPLACE TABLE raw " + RAW.ddl());
    duck.execute(
        "INSERT INTO raw VALUES (encode("
            + Sql.text("{\"__json\": 1, \"__text\": 1.25, \"__error\": \"no\", \"_offset\": 3}")
            + "), 7, NULL)");
    assertThat(duck.row("SELECT * FROM (" + decoding.over("raw") + ")"))
        .asString()
        .isEqualTo("[1, 1.25, no, 3, null]");
  }

  @Test
  void textIsTakenAsItIs() {
    assertThat(decode("text", Schema.of("x", "VARCHAR"), "'hällo'", "NULL"))
        .containsExactly("hällo", null);
  }

  @Test
  void anExpressionCannotReadFilesOrChangeSettings() {
    for (String sql :
        List.of(
            "SELECT * FROM read_text('/etc/hostname')",
            "SELECT * FROM '/etc/hostname'",
            "COPY (SELECT 1) TO '/tmp/tidemill-escape.csv'",
            "SET threads = 8",
            "SET enable_external_access = true",
            "ATTACH '/tmp/tidemill-escape.db'",
            "LOAD httpfs")) {
      org.assertj.core.api.Assertions.assertThatThrownBy(() -> duck.execute(sql))
          .as(sql)
          .isInstanceOf(io.tidemill.protocol.error.TidemillException.class);
    }
  }
}

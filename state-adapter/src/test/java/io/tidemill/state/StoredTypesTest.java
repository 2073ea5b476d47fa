package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.memory.MemoryBlob;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredTypesTest {
  @TempDir Path scratch;
  private final MemoryBlob checkpoint = new MemoryBlob();

  @AfterEach
  void stop() {
    checkpoint.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "DECIMAL(38,0); '99999999999999999999999999999999999999', '-1'",
        "DECIMAL(18,2); '-1234567890123456.78', '0.10'",
        "DECIMAL(4,1); '-999.9'",
        "BIGINT; '-9223372036854775808', '9223372036854775807'",
        "UBIGINT; '18446744073709551615', '0'",
        "TINYINT; '-128'",
        "USMALLINT; '65535'",
        "DOUBLE; 'nan', '-0.0', '0.0', 'inf', '-inf', '4.9e-324', '0.1'",
        "FLOAT; 'nan', '-0.0', '0.1'",
        "VARCHAR; '', 'aäb🌊', 'quote'' \"and\" \\', chr(0) || 'x' || chr(0)",
        "BLOB; '\\x00\\xFF', ''",
        "BOOLEAN; true, false",
        "DATE; '2026-02-28', '0001-01-01', 'infinity'",
        "TIME; '23:59:59.999999', '24:00:00'",
        "TIMETZ; '23:59:59.999999+05:30'",
        "TIMESTAMP; '2026-02-28 12:34:56.789012', '0001-01-01', 'infinity', '-infinity'",
        "TIMESTAMPTZ; '2026-02-28 12:34:56.789012+02'",
        "TIMESTAMP_NS; '2026-02-28 12:34:56.789012345'",
        "TIMESTAMP_S; '2026-02-28 12:34:56'",
        "INTERVAL; '14 months -3 days 04:05:06.000007', '-00:00:00.000001', '30 days', '1 month'",
        "INTERVAL[]; ['1 month', NULL]",
        "UUID; '5b0c9e70-1c52-4c5f-9f0e-6d8f7f3a2b1c'",
        "ENUM('b','a'); 'a', 'b'",
        "JSON; '{\"a\": 1.50}'",
        "BIT; '0010'",
        "BIGNUM; '123456789012345678901234567890123456789012345678'",
        "INTEGER[]; [], [NULL, 1]",
        "INTEGER[2]; [1, NULL]",
        "VARCHAR[][]; [[], NULL, ['x', NULL]]",
        "STRUCT(a DECIMAL(38,0), b VARCHAR); {'a': 12345678901234567890, 'b': NULL}",
        "STRUCT(\"interval\" INTERVAL, hugeint INTEGER); {'interval': '-2 days', 'hugeint': 1}",
        "MAP(VARCHAR, DOUBLE); MAP {'x': -0.0, 'y': NULL}, MAP {}",
        "STRUCT(a MAP(VARCHAR, INTERVAL)[]); {'a': [MAP {'x': '-1 day'}, NULL]}",
      })
  void valuesComeBackExactly(String type, String values) {
    StateLayout layout =
        new StateLayout(Schema.of("i", "INTEGER", "v", type), List.of("i"), Optional.empty());
    StateVersion version = StateVersion.EMPTY;
    List<String> written;
    List<String> all = List.of("NULL::" + type, "unnest(([" + values + "])::" + type + "[])");
    String select =
        "SELECT 0::USMALLINT AS _bucket, row_number() OVER ()::INTEGER AS i, v, true AS _live FROM"
            + " (SELECT "
            + String.join(" AS v UNION ALL SELECT ", all)
            + " AS v)";
    String read = "SELECT i, v::VARCHAR, typeof(v), hash(v) FROM %s ORDER BY i";
    try (Instance writer = new Instance(checkpoint, scratch, StateSettings.DEFAULT)) {
      writer.run("CREATE TABLE given AS " + select);
      written = writer.rows(String.format(read, "given"));
      // A base, and a delta that changes every row.
      for (long batch = 1; batch <= 2; batch++) {
        SavedState table = writer.load(layout, version, Buckets.ALL);
        writer.apply(table, "SELECT * FROM given");
        assertThat(writer.rows(String.format(read, table.table()))).isEqualTo(written);
        version = version.apply(List.of(Instance.save(table, batch)), Watermark.NONE, batch);
        assertThat(cold(layout, version, read)).isEqualTo(written);
      }
      assertThat(version.files(Buckets.ALL)).hasSize(2);
    }
  }

  private List<String> cold(StateLayout layout, StateVersion version, String read) {
    try (Instance reader = new Instance(checkpoint, scratch, StateSettings.DEFAULT)) {
      SavedState table = reader.load(layout, version, Buckets.ALL);
      return reader.rows(String.format(read, table.table()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HUGEINT",
        "INT128",
        "UHUGEINT",
        "HUGEINT[]",
        "STRUCT(a INTEGER, b HUGEINT)",
        "MAP(VARCHAR, HUGEINT)",
        "UNION(a INTEGER, b VARCHAR)",
        "VARIANT"
      })
  void typesThatFilesDoNotKeepAreRefused(String type) {
    StateLayout layout =
        new StateLayout(Schema.of("k", "INTEGER", "v", type), List.of("k"), Optional.empty());
    try (Instance instance = new Instance(checkpoint, scratch, StateSettings.DEFAULT)) {
      assertThatThrownBy(() -> instance.load(layout, StateVersion.EMPTY, Buckets.ALL))
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL);
                assertThat(e.fields()).containsEntry("column", "v");
              });
    }
  }

  @Test
  void evictionNeedsATimestamp() {
    StateLayout layout = new StateLayout(Schema.of("k", "DATE"), List.of("k"), Optional.of("k"));
    try (Instance instance = new Instance(checkpoint, scratch, StateSettings.DEFAULT)) {
      assertThatThrownBy(() -> instance.load(layout, StateVersion.EMPTY, Buckets.ALL))
          .isInstanceOfSatisfying(
              TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "0.0::DOUBLE; -0.0::DOUBLE",
        "'nan'::DOUBLE; -('nan'::DOUBLE)",
        "0.0::FLOAT; -0.0::FLOAT",
        "[0.0::DOUBLE]; [-0.0::DOUBLE]",
        "{'a': 0.0::DOUBLE, 'b': NULL}; {'a': -0.0::DOUBLE, 'b': NULL}",
        "NULL::VARCHAR; NULL::VARCHAR",
        "INTERVAL '1 month'; INTERVAL '30 days'",
        "1.50::DECIMAL(18,2); 1.5::DECIMAL(18,2)",
      })
  void equalKeysHaveEqualBucketsAndAreOneRow(String left, String right) {
    try (Instance instance = new Instance(checkpoint, scratch, StateSettings.DEFAULT)) {
      String type = instance.rows("SELECT typeof(" + left + ")").get(0);
      StateLayout layout =
          new StateLayout(Schema.of("k", type, "v", "BIGINT"), List.of("k"), Optional.empty());
      SavedState table = instance.load(layout, StateVersion.EMPTY, Buckets.ALL);
      String bucket = ObjectState.bucketExpression(List.of("k"));
      for (String key : List.of(left, right)) {
        instance.apply(
            table,
            "SELECT "
                + bucket
                + " AS _bucket, k, 7::BIGINT AS v, true AS _live FROM (SELECT "
                + key
                + " AS k)");
      }
      assertThat(instance.rows("SELECT v FROM " + table.table())).containsExactly("7");
      assertThat(
              instance.rows(
                  "SELECT count(DISTINCT "
                      + bucket
                      + ") FROM (VALUES ("
                      + left
                      + "), ("
                      + right
                      + ")) t(k)"))
          .containsExactly("1");
    }
  }

  @Test
  void bucketsSpreadOverTheWholeRange() {
    try (Instance instance = new Instance(checkpoint, scratch, StateSettings.DEFAULT)) {
      String bucket = ObjectState.bucketExpression(List.of("k", "k + 1"));
      assertThat(
              instance.rows(
                  "SELECT min(b), max(b), count(DISTINCT b) >= 1000, any_value(typeof(b)) FROM"
                      + " (SELECT "
                      + bucket
                      + " AS b FROM range(20000) t(k))"))
          .containsExactly("0|1023|true|USMALLINT");
    }
  }
}

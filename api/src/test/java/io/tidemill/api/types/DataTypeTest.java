package io.tidemill.api.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DataTypeTest {
  @Test
  void sparkTypesBecomeDuckDbTypes() {
    assertThat(DataType.parse("string").sql()).isEqualTo("VARCHAR");
    assertThat(DataType.parse("int").sql()).isEqualTo("INTEGER");
    assertThat(DataType.parse("LONG").sql()).isEqualTo("BIGINT");
    assertThat(DataType.parse("byte").sql()).isEqualTo("TINYINT");
    assertThat(DataType.parse("binary").sql()).isEqualTo("BLOB");
    assertThat(DataType.parse("timestamp_ntz").sql()).isEqualTo("TIMESTAMP");
    assertThat(DataType.parse("decimal").sql()).isEqualTo("DECIMAL(10,0)");
    assertThat(DataType.parse("numeric(18, 2)").sql()).isEqualTo("DECIMAL(18,2)");
    assertThat(DataType.parse("varchar(20)").sql()).isEqualTo("VARCHAR");
    assertThat(DataType.parse("array<array<int>>").sql()).isEqualTo("INTEGER[][]");
    assertThat(DataType.parse("map<string, array<double>>").sql())
        .isEqualTo("MAP(VARCHAR, DOUBLE[])");
    assertThat(DataType.parse("struct<a: int, b string>").sql())
        .isEqualTo("STRUCT(\"a\" INTEGER, \"b\" VARCHAR)");
  }

  @Test
  void duckDbTypesStayAsTheyAre() {
    assertThat(DataType.parse("STRUCT(\"start\" TIMESTAMP, \"end\" TIMESTAMP)[]").sql())
        .isEqualTo("STRUCT(\"start\" TIMESTAMP, \"end\" TIMESTAMP)[]");
    assertThat(DataType.parse("MAP(VARCHAR, DECIMAL(18,2))").sql())
        .isEqualTo("MAP(VARCHAR, DECIMAL(18,2))");
    assertThat(DataType.parse("HUGEINT").sql()).isEqualTo("HUGEINT");
  }

  @Test
  void columnsHaveNamesTypesAndMayBeRequired() {
    DataType.Struct columns =
        DataType.parseColumns(
            "id STRING NOT NULL COMMENT 'the id', `a b` INT, tags: ARRAY<STRING>, d DECIMAL(5, 1)");
    assertThat(columns.fields().stream().map(DataType.Field::name))
        .containsExactly("id", "a b", "tags", "d");
    assertThat(columns.fields().stream().map(f -> f.type().sql()))
        .containsExactly("VARCHAR", "INTEGER", "VARCHAR[]", "DECIMAL(5,1)");
    assertThat(columns.fields().stream().map(DataType.Field::required))
        .containsExactly(true, false, false, false);
    assertThat(columns.jsonStructure())
        .isEqualTo(
            "{\"id\":\"VARCHAR\",\"a b\":\"INTEGER\",\"tags\":[\"VARCHAR\"],\"d\":\"DECIMAL(5,1)\"}");
  }

  @Test
  void mistakesAreShownWithWhatWasExpected() {
    assertThatThrownBy(() -> DataType.parseColumns("id")).hasMessageContaining("found=the end");
    assertThatThrownBy(() -> DataType.parseColumns("id INT,,")).hasMessageContaining("no type");
    assertThatThrownBy(() -> DataType.parse("array<int")).hasMessageContaining("expected='>'");
    assertThatThrownBy(() -> DataType.parse("int int")).hasMessageContaining("found=int");
    assertThatThrownBy(() -> DataType.parseColumns("id INT NOT")).hasMessageContaining("NULL");
  }

  @Test
  void timePatternsBecomeFormats() {
    assertThat(TimePattern.strftime("yyyy-MM-dd'T'HH:mm:ss.SSSX"))
        .isEqualTo("%Y-%m-%dT%H:%M:%S.%g%z");
    assertThat(TimePattern.strftime("d/M/yy '100%' ''")).isEqualTo("%-d/%-m/%y 100%% '");
    assertThatThrownBy(() -> TimePattern.strftime("yyyy 'open")).hasMessageContaining("letters='");
  }
}

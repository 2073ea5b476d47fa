package io.tidemill.connectors.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.TidemillException;
import org.junit.jupiter.api.Test;

final class SqlTypeTest {
  @Test
  void scalarsHaveAKind() {
    assertThat(SqlType.parse("bigint").kind()).isEqualTo(SqlType.Kind.INTEGER);
    assertThat(SqlType.parse("DECIMAL(18,2)").kind()).isEqualTo(SqlType.Kind.DECIMAL);
    assertThat(SqlType.parse("DECIMAL(18, 2)").scale()).isEqualTo(2);
    assertThat(SqlType.parse("NUMERIC").scale()).isEqualTo(3);
    assertThat(SqlType.parse("DECIMAL(9)").scale()).isZero();
    assertThat(SqlType.parse("TIMESTAMP WITH TIME ZONE").kind()).isEqualTo(SqlType.Kind.TIMESTAMP);
    assertThat(SqlType.parse("ENUM('a, (', 'b')").kind()).isEqualTo(SqlType.Kind.OTHER);
  }

  @Test
  void nestedTypesAreTakenApart() {
    SqlType type = SqlType.parse("STRUCT(a BIGINT, \"b \"\"c\" MAP(VARCHAR, DOUBLE[]))[3][]");
    assertThat(type.kind()).isEqualTo(SqlType.Kind.LIST);
    SqlType struct = type.element().element();
    assertThat(struct.fields()).extracting(SqlType.Field::name).containsExactly("a", "b \"c");
    SqlType map = struct.fields().get(1).type();
    assertThat(map.kind()).isEqualTo(SqlType.Kind.MAP);
    assertThat(map.fields().get(1).type().element().kind()).isEqualTo(SqlType.Kind.FLOAT);
    assertThat(SqlType.parse(type.text())).isEqualTo(type);
  }

  @Test
  void hugeIntegersAreStoredAsDecimalsAtAnyDepth() {
    assertThat(SqlType.parse("STRUCT(a HUGEINT[], b BIGINT)").storable().text())
        .isEqualTo("STRUCT(\"a\" DECIMAL(38,0)[], \"b\" BIGINT)");
    assertThat(SqlType.parse("MAP(VARCHAR, HUGEINT)").storable().text())
        .isEqualTo("MAP(VARCHAR, DECIMAL(38,0))");
    assertThat(SqlType.parse("BIGINT[3]").storable().text()).isEqualTo("BIGINT[3]");
  }

  @Test
  void timestampsGetAZoneAtAnyDepth() {
    assertThat(SqlType.parse("TIMESTAMP[]").zoned().text()).isEqualTo("TIMESTAMP WITH TIME ZONE[]");
    assertThat(SqlType.parse("TIMESTAMP_NS").zoned().text()).isEqualTo("TIMESTAMP_NS");
  }

  @Test
  void textsThatAreNoTypesAreRefused() {
    for (String text : new String[] {"", "STRUCT(a BIGINT", "MAP(VARCHAR)", "BIGINT[", "INT)"}) {
      assertThatThrownBy(() -> SqlType.parse(text)).isInstanceOf(TidemillException.class);
    }
  }
}

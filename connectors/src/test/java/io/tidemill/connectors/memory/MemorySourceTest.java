package io.tidemill.connectors.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceReader;
import io.tidemill.connectors.testing.NotesInMemory;
import io.tidemill.connectors.testing.ScratchDatabase;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourcePosition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MemorySourceTest {
  @TempDir Path temp;
  private final MemoryStreams streams = new MemoryStreams();
  private final MemoryStream stream = streams.stream("events");
  private final MemorySourceConnector connector = new MemorySourceConnector(streams);
  private final Options options = Options.of("stream events", Map.of("name", "Events"));

  private static List<JsonNode> json(String... rows) {
    List<JsonNode> nodes = new ArrayList<>();
    for (String row : rows) {
      nodes.add(Json.read(row, JsonNode.class));
    }
    return nodes;
  }

  private Source open() {
    return connector.open(options, Schema.of("k", "VARCHAR"), new NotesInMemory());
  }

  private List<String> read(Schema declared, String sql, String... rows) {
    stream.addData(json(rows));
    connector.validate(options, declared);
    Source source = connector.open(options, declared, new NotesInMemory());
    SourcePosition at = new MemorySource.Position(stream.size() - 1).position();
    Source.Range range = source.plan(at, source.latest(at), true, 0);
    try (ScratchDatabase db = new ScratchDatabase(temp);
        SourceReader reader = connector.reader(options, declared)) {
      db.create("t", declared);
      reader.read(
          range.splits(), db.connection(), "t", new LinkedHashSet<>(declared.names()), temp);
      return db.rows(sql);
    }
  }

  @Test
  void everyAddIsABatchEvenWithoutRows() {
    Source source = open();
    SourcePosition at = source.initial();
    assertThat(source.plan(at, source.latest(at), true, 0).end()).isEqualTo(at);
    stream.addData(json("{}", "{}"));
    stream.addData(List.of());
    Source.Range first = source.plan(at, source.latest(at), true, 0);
    assertThat(first.rowsEstimate()).isEqualTo(2);
    Source.Range empty = source.plan(first.end(), source.latest(first.end()), true, 0);
    assertThat(empty.splits()).isEmpty();
    assertThat(empty.end()).isNotEqualTo(first.end());
    assertThat(source.plan(empty.end(), source.latest(empty.end()), true, 0).end())
        .isEqualTo(empty.end());
  }

  @Test
  void triggerOnceTakesAllThatIsThere() {
    stream.addData(json("{}"));
    stream.addData(json("{}", "{}"));
    Source source = open();
    Source.Range all = source.plan(source.initial(), source.latest(source.initial()), false, 0);
    assertThat(all.rowsEstimate()).isEqualTo(3);
  }

  @Test
  void aRestartInTheSameProcessGoesOn() {
    stream.addData(json("{}"));
    Source source = open();
    SourcePosition read =
        source.plan(source.initial(), source.latest(source.initial()), true, 0).end();
    stream.addData(json("{}"));
    Source restarted = open();
    assertThat(restarted.plan(read, restarted.latest(read), true, 0).rowsEstimate()).isEqualTo(1);
  }

  @Test
  void rowsThatAnotherProcessAddedAreMissed() {
    SourcePosition elsewhere = new MemorySource.Position(3).position();
    assertThatThrownBy(() -> open().latest(elsewhere))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_LOSS));
  }

  @Test
  void timesAreUtcWhateverTheirOffset() {
    assertThat(
            read(
                Schema.of("t", "TIMESTAMP", "z", "TIMESTAMPTZ"),
                "SELECT t, z FROM t",
                "{\"t\":\"2024-01-01T00:00:01Z\",\"z\":\"2024-01-01T00:00:01.5+02:00\"}",
                "{\"t\":\"2024-01-01T00:00:01.000001+05:30\"}",
                "{\"t\":\"1969-12-31 23:59:59.999\"}"))
        .containsExactly(
            "2024-01-01 00:00:01.0|2023-12-31T22:00:01.500Z",
            "2023-12-31 18:30:01.000001|null",
            "1969-12-31 23:59:59.999|null");
  }

  @Test
  void numbersAreExact() {
    assertThat(
            read(
                Schema.of("d", "DECIMAL(38,2)", "b", "BIGINT", "h", "HUGEINT", "x", "DOUBLE"),
                "SELECT * FROM t",
                "{\"d\":\"123456789012345678901234567890.10\",\"b\":9007199254740993,"
                    + "\"h\":12345678901234567890123,\"x\":\"NaN\"}",
                "{\"d\":1.5,\"b\":\"-7\",\"h\":1.0,\"x\":\"-Infinity\"}",
                "{\"d\":null,\"x\":0.1}"))
        .containsExactly(
            "123456789012345678901234567890.10|9007199254740993|12345678901234567890123|NaN",
            "1.50|-7|1|-Infinity",
            "null|null|null|0.1");
  }

  @Test
  void nestedValuesAreTyped() {
    assertThat(
            read(
                Schema.of(
                    "s",
                    "STRUCT(a BIGINT, b STRUCT(c VARCHAR, d DECIMAL(10,2), t TIMESTAMP))",
                    "m",
                    "MAP(VARCHAR, BIGINT)",
                    "l",
                    "STRUCT(sku VARCHAR, qty BIGINT)[]",
                    "e",
                    "DOUBLE[]"),
                "SELECT * FROM t",
                "{\"s\":{\"a\":1,\"b\":{\"c\":\"x\\\"y\",\"d\":\"1.10\","
                    + "\"t\":\"2024-01-01T02:00:00+02:00\"}},\"m\":{\"k\":1,\"j\":2},"
                    + "\"l\":[{\"sku\":\"p\",\"qty\":2},null],\"e\":[]}",
                "{\"s\":{\"b\":null},\"m\":{},\"l\":null,\"e\":[1,null,\"Infinity\"]}"))
        .containsExactly(
            "{'a': 1, 'b': {'c': 'x\"y', 'd': 1.10, 't': '2024-01-01 00:00:00'}}"
                + "|{k=1, j=2}|[{'sku': p, 'qty': 2}, NULL]|[]",
            "{'a': NULL, 'b': NULL}|{}|null|[1.0, NULL, inf]");
  }

  @Test
  void rowsMayBeListsAndOtherTypesAreTextsToo() {
    assertThat(
            read(
                Schema.of("d", "DATE", "f", "BOOLEAN", "b", "BLOB", "u", "UUID", "j", "JSON"),
                "SELECT d, f, decode(b), u, j FROM t",
                "[\"2024-02-29\",true,\"hé\",\"00000000-0000-0000-0000-000000000001\",{\"a\":1}]"))
        .containsExactly("2024-02-29|true|hé|00000000-0000-0000-0000-000000000001|{\"a\":1}");
  }

  @Test
  void valuesOfAnotherTypeAreNamedWithTheirPlace() {
    for (String row :
        List.of(
            "{\"v\":1.5}", "{\"v\":true}", "{\"v\":\"x\"}", "{\"v\":[1]}", "{\"w\":1}", "[1,2]")) {
      assertThatThrownBy(() -> read(Schema.of("v", "BIGINT"), "SELECT 1", "{\"v\":1}", row))
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD);
                assertThat(e.getMessage()).contains("Events:").contains(":1");
              });
    }
    assertThatThrownBy(() -> read(Schema.of("d", "DECIMAL(4,2)"), "SELECT 1", "{\"d\":1.005}"))
        .hasMessageContaining("column=d");
    assertThatThrownBy(() -> read(Schema.of("d", "TINYINT"), "SELECT 1", "{\"d\":1000}"))
        .hasMessageContaining("not of the column's type");
  }

  @Test
  void columnsMustBeDeclared() {
    assertThatThrownBy(() -> connector.validate(options, Schema.EMPTY))
        .hasMessageContaining("declared columns");
    assertThatThrownBy(() -> connector.validate(options, Schema.of("b", "BLOB[]")))
        .hasMessageContaining("BLOB");
  }
}

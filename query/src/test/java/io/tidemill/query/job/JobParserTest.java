package io.tidemill.query.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobParserTest {
  private static final String ORDERS =
      """
      CREATE STREAM orders (
        order_id VARCHAR NOT NULL, amount DECIMAL(18,2) NOT NULL, note VARCHAR NULL,
        items STRUCT(a INTEGER, b VARCHAR)[], event_time TIMESTAMP NOT NULL,
        WATERMARK FOR event_time AS event_time - INTERVAL (5 + 5) MINUTES
      ) WITH (
        connector = 'kafka',
        'kafka.bootstrap.servers' = '${SERVERS:localhost:9092}',
        subscribe = 'orders', maxOffsetsPerTrigger = 500000, failOnDataLoss = false, lag = -1
      );
      """;

  private static JobFile parse(String job) {
    return JobParser.parse(new JobText("job.sql", job), Variables.none());
  }

  private static <T extends Statement> T only(String job, Class<T> kind) {
    JobFile file = parse(job);
    assertThat(file.statements()).hasSize(1);
    return file.all(kind).get(0);
  }

  @Test
  void streamHasColumnsWatermarkAndOptions() {
    Statement.CreateStream stream = only(ORDERS, Statement.CreateStream.class);
    assertThat(stream.name()).isEqualTo("orders");
    assertThat(stream.columns())
        .isEqualTo(
            new Schema(
                List.of(
                    new Column("order_id", "VARCHAR", true),
                    new Column("amount", "DECIMAL(18,2)", true),
                    new Column("note", "VARCHAR", false),
                    new Column("items", "STRUCT(a INTEGER, b VARCHAR)[]", false),
                    new Column("event_time", "TIMESTAMP", true))));
    Statement.WatermarkClause watermark = stream.watermark().orElseThrow();
    assertThat(watermark.column()).isEqualTo("event_time");
    assertThat(watermark.expression()).isEqualTo("event_time - INTERVAL (5 + 5) MINUTES");
    assertThat(ORDERS.substring(watermark.offset())).startsWith(watermark.expression());
    assertThat(values(stream.options()))
        .isEqualTo(
            Map.of(
                "connector", "kafka",
                "kafka.bootstrap.servers", "localhost:9092",
                "subscribe", "orders",
                "maxOffsetsPerTrigger", "500000",
                "failOnDataLoss", "false",
                "lag", "-1"));
    assertThat(ORDERS.substring(stream.options().get("subscribe").offset()))
        .startsWith("subscribe =");
  }

  private static Map<String, String> values(Map<String, Statement.Option> options) {
    return options.entrySet().stream()
        .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, e -> e.getValue().value()));
  }

  @Test
  void streamNeedsNoColumnList() {
    Statement.CreateStream stream =
        only("CREATE STREAM raw WITH (connector = 'kafka')", Statement.CreateStream.class);
    assertThat(stream.columns().isEmpty()).isTrue();
    assertThat(stream.watermark()).isEmpty();
  }

  @Test
  void watermarkMayBeTheColumnItself() {
    Statement.CreateStream stream =
        only(
            "create stream s (t timestamp, watermark for t as t) with (connector = 'x')",
            Statement.CreateStream.class);
    assertThat(stream.watermark().orElseThrow().expression()).isEqualTo("t");
  }

  @Test
  void columnMayBeCalledWatermark() {
    Statement.CreateStream stream =
        only(
            "CREATE STREAM s (watermark BIGINT) WITH (connector = 'x')",
            Statement.CreateStream.class);
    assertThat(stream.columns().names()).containsExactly("watermark");
  }

  @Test
  void tableHasOptionsAndPerhapsColumns() {
    Statement.CreateTable table =
        only(
            "CREATE TABLE customers WITH (connector = 'parquet', path = 'data/customers.parquet')",
            Statement.CreateTable.class);
    assertThat(table.columns().isEmpty()).isTrue();
    assertThat(table.options().get("path").value()).isEqualTo("data/customers.parquet");
    Statement.CreateTable declared =
        only(
            "CREATE TABLE c (id BIGINT NOT NULL) WITH (connector = 'csv')",
            Statement.CreateTable.class);
    assertThat(declared.columns().columns()).containsExactly(new Column("id", "BIGINT", true));
  }

  @Test
  void sinkHasOptions() {
    Statement.CreateSink sink =
        only(
            "CREATE SINK revenue WITH (connector = 'parquet', path = 'it''s', mode = 'append')",
            Statement.CreateSink.class);
    assertThat(sink.name()).isEqualTo("revenue");
    assertThat(sink.options().get("path").value()).isEqualTo("it's");
  }

  @Test
  void viewAndInsertKeepTheirQueryAsWritten() {
    String select = "SELECT 'a;b' AS x, \"c;d\" /* ; */ FROM s -- ; not the end\n WHERE x = ';'";
    Statement.CreateView view =
        only("CREATE VIEW v AS " + select + ";", Statement.CreateView.class);
    assertThat(view.query().sql()).isEqualTo(select);
    Statement.Insert insert = only("INSERT INTO out " + select, Statement.Insert.class);
    assertThat(insert.sink()).isEqualTo("out");
    assertThat(insert.query().sql()).isEqualTo(select);
  }

  @Test
  void settingIsANameAndAValue() {
    assertThat(only("SET trigger = 'available-now';", Statement.Set.class).value())
        .isEqualTo("available-now");
    Statement.Set dotted = only("SET a.b.c = true", Statement.Set.class);
    assertThat(dotted.name()).isEqualTo("a.b.c");
    assertThat(dotted.value()).isEqualTo("true");
  }

  @Test
  void statementsKeepTheirOrderAndEmptyOnesAreNone() {
    JobFile file =
        parse(";;SET a = 1;;\nCREATE SINK s WITH (connector = 'x'); -- end\nSET b = 2;\n;");
    assertThat(file.statements()).extracting(Statement::offset).containsExactly(6, 26, 63);
    assertThat(file.all(Statement.Set.class)).hasSize(2);
    assertThat(parse("").statements()).isEmpty();
    assertThat(parse(" -- nothing\n /* at all */").statements()).isEmpty();
  }

  @Test
  void namesMayBeQuotedAndOfAnyLetters() {
    Statement.CreateStream stream =
        only(
            "CREATE STREAM \"my \"\"stream\"\"\" (größe INTEGER, \"select\" BIGINT, \"Ä b\" DATE)"
                + " WITH (connector = 'x')",
            Statement.CreateStream.class);
    assertThat(stream.name()).isEqualTo("my \"stream\"");
    assertThat(stream.columns().names()).containsExactly("größe", "select", "Ä b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT 1                           | 1:1  | A statement starts with CREATE STREAM",
        "CRAETE SINK s                      | 1:1  | Did you mean 'CREATE'?",
        "INSRT INTO s SELECT 1              | 1:1  | Did you mean 'INSERT'?",
        "CREATE STERAM s                    | 1:8  | Did you mean 'STREAM'?",
        "CREATE INDEX i                     | 1:8  | CREATE is followed by STREAM, TABLE, SINK or",
        "CREATE SINK                        | 1:12 | Expected a name, found the end of the file.",
        "CREATE SINK 's' WITH (a = 1)       | 1:13 | Expected a name, found a text.",
        "CREATE SINK s                      | 1:14 | Expected WITH (connector = '…', …)",
        "CREATE SINK s WITH ()              | 1:21 | Expected an option name, found ).",
        "CREATE SINK s WITH (a 'b')         | 1:23 | Expected '=', found a text.",
        "CREATE SINK s WITH (a = )          | 1:25 | Expected a text in single quotes",
        "CREATE SINK s WITH (a = 'b' c)     | 1:29 | Expected ')', found c.",
        "CREATE SINK s WITH (a = 1, A = 2)  | 1:28 | The option 'A' is given twice.",
        "CREATE SINK s WITH (a = 1) x       | 1:28 | Expected ';', found x.",
        "CREATE SINK s (a INT) WITH (a = 1) | 1:15 | Expected WITH",
        "CREATE SINK s WITH (a = 'b)        | 1:25 | A text is not closed; end it with '.",
        "CREATE SINK \"s WITH (a = 'b')     | 1:13 | A quoted name is not closed.",
        "CREATE SINK \"\" WITH (a = 'b')    | 1:13 | A name is empty.",
        "SET a = 1; /* CREATE               | 1:12 | A comment is not closed; end it with */.",
        "CREATE STREAM s (a)                | 1:19 | Expected the type of column a, found ).",
        "CREATE STREAM s (a INT             | 1:20 | The column list is not closed.",
        "CREATE STREAM s (a INT NOT, b INT) | 1:27 | Expected NULL, found ,.",
        "CREATE STREAM s (a INT,)           | 1:24 | Expected a column name, or WATERMARK FOR",
        "CREATE STREAM s (WATERMARK FOR t)  | 1:33 | Expected AS, found ).",
        "CREATE TABLE t (d DATE, WATERMARK FOR d AS d) WITH (a = 1) | 1:14 | Only a stream has a watermark",
        "CREATE STREAM s (WATERMARK FOR t AS t, WATERMARK FOR u AS u) WITH (a = 1) | 1:40 | A stream has one",
        "CREATE VIEW v SELECT 1             | 1:15 | Expected AS, found SELECT.",
        "CREATE VIEW v AS ;                 | 1:18 | Expected a SELECT, found ;.",
        "INSERT out SELECT 1                | 1:8  | Expected INTO, found out.",
        "INSERT INTO out                    | 1:16 | Expected a SELECT, found the end of the file.",
        "SET = 1                            | 1:5  | Expected the name of a setting, found =.",
        "SET a 1                            | 1:7  | Expected '=', found 1.",
        "SET a. = 1                         | 1:8  | Expected a name, found =.",
      })
  void mistakeIsShownWhereItIs(String job, String at, String says) {
    assertThatThrownBy(() -> parse(job))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.JOB_SYNTAX);
              assertThat(e.text()).contains(says);
              assertThat(e.fields().get("at")).isEqualTo("job.sql:" + at);
            });
  }

  @Test
  void placeCountsLinesAndColumnsFromOne() {
    assertThatThrownBy(() -> parse("SET a = 1;\n\n  SET b 2;"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.fields().get("at")).isEqualTo("job.sql:3:9");
              assertThat(String.valueOf(e.fields().get(TidemillException.SNIPPET)))
                  .isEqualTo("  3 |   SET b 2;\n    |         ^");
            });
  }
}

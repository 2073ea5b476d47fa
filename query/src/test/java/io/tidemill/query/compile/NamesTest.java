package io.tidemill.query.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.QueryPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  private static QueryPlan job(String stream, String column, String sink, String select) {
    return Jobs.plan(
        "CREATE STREAM "
            + stream
            + " ("
            + column
            + " BIGINT, other BIGINT) WITH (connector = 'fake'); CREATE SINK "
            + sink
            + " WITH (connector = 'fake'); INSERT INTO "
            + sink
            + " "
            + select
            + ";");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select", "from", "window", "two words", "quo\"te", "quo'te", "größe", "日本", "a.b", "{}",
            "$x",
        "__x", "__rows", "__json", "_bucket", "input", "1st", " ", "a;b", "--", "/*", "tab\there"
      })
  void anyNameWillDo(String name) {
    String quoted = Sql.name(name);
    String long200 = Sql.name(name.repeat(200).substring(0, 200));
    for (String column : new String[] {quoted, long200}) {
      QueryPlan plan =
          job("s", column, "o", "SELECT " + column + ", other + 1 AS n FROM s AS " + column);
      assertThat(plan.output().names())
          .hasSize(2)
          .contains(column.substring(1, column.length() - 1).replace("\"\"", "\""));
      assertThat(plan.sources().get(0).columns()).hasSize(2);
    }
    String stream =
        name.startsWith("__") ? quoted.substring(0, 1) + "x" + quoted.substring(1) : quoted;
    assertThat(job(stream, "a", "o", "SELECT a FROM " + stream).sources()).hasSize(1);
    String view =
        "CREATE STREAM s (a INT) WITH (connector = 'fake'); CREATE VIEW "
            + stream
            + " AS SELECT a FROM s; CREATE SINK o WITH (connector = 'fake'); INSERT INTO o SELECT *"
            + " FROM "
            + stream;
    assertThat(Jobs.plan(view).output().names()).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"select", "two words", "quo\"te", "größe", "a;b", "x"})
  void queryIsNamedAfterItsSink(String name) {
    assertThat(job("s", "a", Sql.name(name), "SELECT a FROM s").name()).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"../up", "/root", "a\\b", ".", "..", ".hidden", "line\nbreak"})
  void sinkThatCannotNameADirectoryIsRefused(String name) {
    assertThatThrownBy(() -> job("s", "a", Sql.name(name), "SELECT a FROM s"))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("gives its name to a directory");
  }

  @Test
  void sinkWithANameThatIsTooLongForADirectoryIsRefused() {
    assertThat(job("s", "a", "x".repeat(200), "SELECT a FROM s").name()).hasSize(200);
    assertThatThrownBy(() -> job("s", "a", "ü".repeat(200), "SELECT a FROM s"))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("at most 240 bytes");
  }

  @ParameterizedTest
  @CsvSource({"k, K", "größe, GRößE", "\"Two Words\", \"two words\""})
  void columnsThatDifferByCaseOnlyAreOne(String first, String second) {
    assertThatThrownBy(
            () ->
                Jobs.plan(
                    "CREATE STREAM s ("
                        + first
                        + " INT, "
                        + second
                        + " INT) WITH (connector = 'fake'); CREATE SINK o WITH (connector = 'fake');"
                        + " INSERT INTO o SELECT 1 FROM s"))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("is declared twice");
    assertThat(job("s", first, "o", "SELECT " + second + " FROM S").output().names())
        .containsExactly(first.replace("\"", ""));
  }

  @Test
  void resultColumnsOfOneNameAreNumberedAsByDuckDb() {
    assertThat(job("s", "a", "o", "SELECT a, a, other AS A FROM s").output().names())
        .containsExactly("a", "a_1", "A_2");
  }

  @Test
  void streamsTablesAndViewsShareTheirNames() {
    String stream = "CREATE STREAM s (a INT) WITH (connector = 'fake'); ";
    String end = "CREATE SINK o WITH (connector = 'fake'); INSERT INTO o SELECT a FROM s;";
    for (String other :
        new String[] {
          "CREATE STREAM S (a INT) WITH (connector = 'fake'); ",
          "CREATE TABLE \"S\" (a INT) WITH (connector = 'fake'); ",
          "CREATE VIEW S AS SELECT 1 AS a; "
        }) {
      assertThatThrownBy(() -> Jobs.plan(stream + other + end))
          .isInstanceOf(TidemillException.class)
          .hasMessageContaining("The name S is taken.");
    }
    String sinks =
        "CREATE SINK S WITH (connector = 'fake'); CREATE SINK s WITH (connector = 'fake');";
    assertThatThrownBy(() -> Jobs.plan(stream + sinks + end))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("The sink s is created twice.");
  }

  @Test
  void tableWithANameOfTheEnginesIsRefused() {
    for (String kind : new String[] {"STREAM", "TABLE"}) {
      String job =
          "CREATE "
              + kind
              + " __rows_0 (a INT) WITH (connector = 'fake'); CREATE SINK o WITH (connector = 'fake'); INSERT INTO o SELECT a FROM __rows_0;";
      assertThatThrownBy(() -> Jobs.plan(job))
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.JOB_SYNTAX);
                assertThat(e.text()).contains("are the engine's own; use another");
              });
    }
  }

  @Test
  void columnWithANameOfTheEnginesIsRefused() {
    assertThatThrownBy(() -> job("s", "__Tidemill_error", "o", "SELECT other FROM s"))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("does not start with __tidemill_");
    for (String select :
        new String[] {
          "SELECT a AS __tidemill_window FROM s",
          "SELECT '__tidemill_rows' AS x FROM s",
          "WITH __tidemill_input AS (SELECT 1) SELECT a FROM s"
        }) {
      assertThatThrownBy(() -> job("s", "a", "o", select))
          .isInstanceOf(TidemillException.class)
          .hasMessageContaining("What starts with __tidemill_ is the engine's own");
    }
  }

  @Test
  void declaredColumnHidesTheHiddenOneOfItsName() {
    QueryPlan plan = job("s", "_offset", "o", "SELECT * FROM s");
    assertThat(plan.output().names()).containsExactly("_offset", "other");
    assertThat(job("s", "a", "o", "SELECT _offset FROM s").output().names())
        .containsExactly("_offset");
  }
}

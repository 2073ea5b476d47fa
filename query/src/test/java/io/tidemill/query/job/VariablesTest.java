package io.tidemill.query.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariablesTest {
  private static final Variables VARIABLES =
      new Variables(
          Map.of(
              "GIVEN", "given", "BOTH", "from the command", "DOLLAR", "a$1\\b", "NESTED", "${X}"),
          Map.of("BOTH", "from the environment", "HOME_DIR", "/home", "EMPTY", "")::get);

  private static String fill(String text) {
    JobText job = new JobText("job.sql", "SET x = '" + text + "'");
    return JobParser.parse(job, VARIABLES).all(Statement.Set.class).get(0).value();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plain text             | plain text",
        "${GIVEN}               | given",
        "${HOME_DIR}/out        | /home/out",
        "${BOTH}                | from the command",
        "${GIVEN}-${HOME_DIR}   | given-/home",
        "${MISSING:default}     | default",
        "${GIVEN:default}       | given",
        "${MISSING:host:9092}   | host:9092",
        "[${MISSING:}]          | []",
        "[${EMPTY:default}]     | []",
        "${DOLLAR}              | a$1\\b",
        "${NESTED}              | ${X}",
        "$GIVEN {GIVEN} ${}     | $GIVEN {GIVEN} ${}",
      })
  void valueComesFromTheCommandTheEnvironmentOrTheDefault(String text, String expected) {
    assertThat(fill(text)).isEqualTo(expected);
  }

  @Test
  void missingVariableIsNamedWithWhatToDo() {
    String job = "SET a = 1;\nSET x = 'a ${MISSING} b';";
    assertThatThrownBy(() -> JobParser.parse(new JobText("job.sql", job), VARIABLES))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.JOB_SYNTAX);
              assertThat(e.fields().get("at")).isEqualTo("job.sql:2:9");
              assertThat(e.text())
                  .contains("The variable MISSING has no value")
                  .contains("--set MISSING=")
                  .contains("${MISSING:default}");
            });
  }

  @Test
  void variablesAreFilledInTextsOnly() {
    String job = "SET x = '${GIVEN}'; INSERT INTO s SELECT '${GIVEN}' FROM t";
    JobFile file = JobParser.parse(new JobText("job.sql", job), VARIABLES);
    assertThat(file.all(Statement.Insert.class).get(0).query().sql()).contains("'${GIVEN}'");
  }

  @Test
  void valuesOfVariablesStandInNoMessage() {
    Variables secret = new Variables(Map.of("PASSWORD", "hunter2"), name -> null);
    String job = "CREATE SINK s WITH (\"jdbc.password\" = '${PASSWORD}' oops = 1)";
    assertThatThrownBy(() -> JobParser.parse(new JobText("job.sql", job), secret))
        .isInstanceOf(TidemillException.class)
        .hasMessageNotContaining("hunter2")
        .hasMessageContaining("Expected ')'");
  }

  private static String filled(Variables variables, String text) {
    return variables.fill(new JobText("job.sql", "SET x = '${secret:a/b#c}'"), text, 0);
  }

  @Test
  void aReferenceIsLookedUpByItsWholeName() {
    Variables variables =
        new Variables(Map.of(), name -> null, Map.of("secret", name -> "<" + name + ">"));
    assertThat(filled(variables, "user=${secret:arn:aws:x:1:y/z#field};"))
        .isEqualTo("user=<arn:aws:x:1:y/z#field>;");
  }

  @Test
  void aVariableOfThatNameIsNoReference() {
    Variables variables =
        new Variables(
            Map.of("secret", "given"), name -> null, Map.of("secret", name -> "looked up"));
    assertThat(filled(variables, "${secret}")).isEqualTo("given");
  }

  @Test
  void aReferenceThatNobodyLooksUpIsAMistakeUnlessItsValueIsGiven() {
    assertThatThrownBy(() -> filled(Variables.none(), "${secret:a}"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.JOB_SYNTAX));
    Variables given = new Variables(Map.of("secret", "given"), name -> null);
    assertThat(filled(given, "${secret:a}")).isEqualTo("given");
  }
}

package io.tidemill.query.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VariablesTest {
  private static final JobText JOB = new JobText("job.sql", "SET x = '${secret:a/b#c}'");

  private static String fill(Variables variables, String text) {
    return variables.fill(JOB, text, 0);
  }

  @Test
  void aReferenceIsLookedUpByItsWholeName() {
    Variables variables =
        new Variables(Map.of(), name -> null, Map.of("secret", name -> "<" + name + ">"));
    assertThat(fill(variables, "user=${secret:arn:aws:x:1:y/z#field};"))
        .isEqualTo("user=<arn:aws:x:1:y/z#field>;");
  }

  @Test
  void aVariableOfThatNameIsNoReference() {
    Variables variables =
        new Variables(
            Map.of("secret", "given"), name -> null, Map.of("secret", name -> "looked up"));
    assertThat(fill(variables, "${secret}")).isEqualTo("given");
  }

  @Test
  void aReferenceThatNobodyLooksUpIsAMistakeUnlessItsValueIsGiven() {
    assertThatThrownBy(() -> fill(Variables.none(), "${secret:a}"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.JOB_SYNTAX));
    Variables given = new Variables(Map.of("secret", "given"), name -> null);
    assertThat(fill(given, "${secret:a}")).isEqualTo("given");
  }

  @Test
  void aVariableWithoutAValueIsAMistake() {
    assertThatThrownBy(() -> fill(Variables.none(), "${NAME}"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.JOB_SYNTAX));
  }
}

package io.tidemill.query.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobTextTest {
  private static final JobText TEXT =
      new JobText("c:job.sql", "CREATE SINK s\nWITH (path = 'a b', conector = 'json');\n");

  @Test
  void aPositionIsShownWithItsLine() {
    assertThat(snippet(TEXT, "c:job.sql:2:7"))
        .isEqualTo("  2 | WITH (path = 'a b', conector = 'json');\n    |       ^^^^");
    assertThat(snippet(TEXT, "c:job.sql:2:14"))
        .isEqualTo("  2 | WITH (path = 'a b', conector = 'json');\n    |              ^^^^^");
  }

  @Test
  void whatIsNoPositionInTheTextIsLeftAlone() {
    assertThat(snippet(TEXT, "other.sql:2:7")).isEqualTo("null");
    assertThat(snippet(TEXT, "sink s")).isEqualTo("null");
    TidemillException shown = TEXT.error(ErrorCode.JOB_SYNTAX, 0, 6, "Wrong.");
    String before = shown.getMessage();
    assertThat(TEXT.shown(shown).getMessage()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'kafka.ssl.key.password' = 'hunter2'",
        "kafka.sasl.jaas.config='x hunter2 ''y'''",
        "'kafka.ssl.keystore.key' = 'hunter2'",
        "'kafka.ssl.key.password' 'hunter2'",
        "'kafka.sasl.jaas.config' = 'hunter2\n\nmore hunter2'"
      })
  void lineOfAnErrorDoesNotShowSecrets(String option) {
    for (int i = 0; i < option.length() + 20; i++) {
      JobText text = new JobText("job.sql", "WITH (" + option + ", other = 'shown')");
      String shown = text.error(ErrorCode.JOB_SYNTAX, i, 1, "Wrong.").getMessage();
      assertThat(shown).doesNotContain("hunter2");
    }
    assertThat(snippet(new JobText("j", "a = 'shown', " + option), "j:1:1")).contains("'shown'");
  }

  private static String snippet(JobText text, String at) {
    TidemillException error = new TidemillException(ErrorCode.INVALID_OPTION, "Wrong.");
    return String.valueOf(text.shown(error.with("at", at)).fields().get(TidemillException.SNIPPET));
  }
}

package io.tidemill.lambda.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.lambda.message.Failure;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReferencesTest {
  private final AtomicInteger lookups = new AtomicInteger();
  private final References references =
      new References(Map.of("secret", name -> name + "-value-" + lookups.incrementAndGet()));

  private String value(String name) {
    return references.resolvers().get("secret").apply(name);
  }

  @Test
  void aValueIsLookedUpOnceUntilItIsForgotten() {
    assertThat(value("a")).isEqualTo("a-value-1");
    assertThat(value("a")).isEqualTo("a-value-1");
    references.forget();
    assertThat(value("a")).isEqualTo("a-value-2");
  }

  @Test
  void whatWasGivenOutIsTakenOutOfErrors() {
    String secret = value("password");
    TidemillException error =
        new TidemillException(ErrorCode.SOURCE_UNAVAILABLE, "The broker refuses.")
            .with("error", "no user with " + secret + " here");
    Failure failure = Failure.of(error, references::redact);
    assertThat(failure.fields()).containsEntry("error", "no user with *** here");
    assertThat(
            Failure.of(new IllegalStateException(secret), references::redact).fields().get("error"))
        .doesNotContain(secret);
  }

  private static TidemillException refused(ErrorCode code) {
    return new TidemillException(code, "No.");
  }

  /** Uses a secret, and is let in only with the one that is asked for. */
  private String enter(String wanted, ErrorCode otherwise) {
    String value = value("password");
    if (!value.equals(wanted)) {
      throw refused(otherwise);
    }
    return value;
  }

  @Test
  void accessThatIsRefusedIsTriedOnceMoreWithTheValueOfNow() {
    value("password");
    AtomicInteger startedAnew = new AtomicInteger();
    assertThat(
            references.<String, RuntimeException>withCurrentValues(
                () -> enter("password-value-2", ErrorCode.FORBIDDEN), startedAnew::incrementAndGet))
        .isEqualTo("password-value-2");
    assertThat(startedAnew).hasValue(1);

    assertThatThrownBy(
            () ->
                references.<String, RuntimeException>withCurrentValues(
                    () -> enter("nothing", ErrorCode.FORBIDDEN), () -> {}))
        .isInstanceOf(TidemillException.class);
    assertThat(lookups).as("a second try and no third").hasValue(3);
  }

  @Test
  void otherErrorsAreNotTriedAgainNorIsAccessThatTookNoSecret() {
    AtomicInteger tries = new AtomicInteger();
    for (ErrorCode code : List.of(ErrorCode.SOURCE_UNAVAILABLE, ErrorCode.INVALID_OPTION)) {
      assertThatThrownBy(
              () ->
                  references.<String, RuntimeException>withCurrentValues(
                      () -> enter("nothing", code), tries::incrementAndGet))
          .isInstanceOf(TidemillException.class);
    }
    References unused = new References(Map.of("secret", name -> "x"));
    assertThatThrownBy(
            () ->
                unused.<String, RuntimeException>withCurrentValues(
                    () -> {
                      throw refused(ErrorCode.FORBIDDEN);
                    },
                    tries::incrementAndGet))
        .isInstanceOf(TidemillException.class);
    assertThat(tries).hasValue(0);
  }
}

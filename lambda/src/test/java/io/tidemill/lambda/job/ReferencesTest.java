package io.tidemill.lambda.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.lambda.message.Failure;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
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
}

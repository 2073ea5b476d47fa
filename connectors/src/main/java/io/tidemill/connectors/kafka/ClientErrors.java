package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Turns what Kafka's clients throw into the one exception family. */
final class ClientErrors {
  private ClientErrors() {}

  static TidemillException of(SourceSettings settings, Throwable cause) {
    if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
      Problem problem = Problem.of(settings.client(), cause);
      return new TidemillException(
              ErrorCode.FORBIDDEN,
              "Kafka refuses access: check the kafka.* security options and the access rules.",
              problem.cause())
          .with("servers", settings.servers())
          .with("answer", problem.text());
    }
    return unavailable(settings, cause);
  }

  static TidemillException unavailable(SourceSettings settings, Throwable cause) {
    Problem problem = Problem.of(settings.client(), cause);
    return new TidemillException(
            problem.ofOptions() ? ErrorCode.INVALID_OPTION : ErrorCode.SOURCE_UNAVAILABLE,
            problem.ofOptions()
                ? "Kafka's client does not take the kafka.* options of the stream: see the problem."
                : "Kafka does not answer: check that it runs and that kafka.bootstrap.servers is"
                    + " right.",
            problem.cause())
        .with("servers", settings.servers())
        .with("problem", problem.text());
  }

  static TidemillException interrupted(Throwable cause) {
    return new TidemillException(
        ErrorCode.SOURCE_UNAVAILABLE, "The query was stopped while it waited for Kafka.", cause);
  }

  /** Passes on that this thread was asked to stop. */
  static void keepInterrupt(Throwable cause) {
    if (cause instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }
}

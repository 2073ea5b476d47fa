package io.tidemill.connectors.kafka;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;

/** Turns what Kafka's clients throw into the one exception family. */
final class ClientErrors {
  private ClientErrors() {}

  static TidemillException of(String servers, Throwable cause) {
    if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
      return new TidemillException(
              ErrorCode.FORBIDDEN,
              "Kafka refuses access: check the kafka.* security options and the access rules.",
              cause)
          .with("servers", servers)
          .with("answer", cause.getMessage());
    }
    return unavailable(servers, cause);
  }

  static TidemillException unavailable(String servers, Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return new TidemillException(
            ErrorCode.SOURCE_UNAVAILABLE,
            "Kafka does not answer: check that it runs and that kafka.bootstrap.servers is right.",
            cause)
        .with("servers", servers)
        .with("problem", root.getMessage());
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

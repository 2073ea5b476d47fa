package io.tidemill.host;

import io.tidemill.protocol.Json;
import java.util.Map;
import java.util.Optional;

/**
 * What came of an invocation.
 *
 * @param error {@code Unhandled} if the function failed
 */
record Reply(byte[] payload, Optional<String> error) {
  static final String UNHANDLED = "Unhandled";

  static Reply ok(byte[] payload) {
    return new Reply(payload, Optional.empty());
  }

  /** As the function itself told it. */
  static Reply failed(byte[] payload) {
    return new Reply(payload, Optional.of(UNHANDLED));
  }

  /** As the platform tells it. */
  static Reply failed(String type, String requestId, String message) {
    return failed(
        Json.bytes(
            Map.of("errorType", type, "errorMessage", "RequestId: " + requestId + " " + message)));
  }

  boolean isError() {
    return error.isPresent();
  }
}

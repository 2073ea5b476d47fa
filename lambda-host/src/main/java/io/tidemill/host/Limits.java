package io.tidemill.host;

/** Lambda's limits on payloads. */
final class Limits {
  /** Of a synchronous request and of its response. */
  static final int PAYLOAD_BYTES_MAX = 6 * 1024 * 1024;

  /** Of an asynchronous request. */
  static final int EVENT_BYTES_MAX = 1024 * 1024;

  private Limits() {}

  /** A function's response, or the failure that takes the place of one that is too large. */
  static Reply checked(String requestId, byte[] response) {
    return response.length <= PAYLOAD_BYTES_MAX
        ? Reply.ok(response)
        : Reply.failed(
            "Function.ResponseSizeTooLarge",
            requestId,
            "Response payload size exceeded maximum allowed payload size ("
                + PAYLOAD_BYTES_MAX
                + " bytes).");
  }
}

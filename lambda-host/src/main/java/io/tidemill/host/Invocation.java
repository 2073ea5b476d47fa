package io.tidemill.host;

import java.util.concurrent.CompletableFuture;

/**
 * One delivery of an event to an instance.
 *
 * @param arn as the caller named the function
 * @param reply completes when the function has answered or its process is gone
 */
record Invocation(
    String requestId,
    String arn,
    byte[] payload,
    String clientContext,
    Fate fate,
    CompletableFuture<Reply> reply) {}

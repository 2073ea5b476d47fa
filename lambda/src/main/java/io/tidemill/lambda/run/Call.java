package io.tidemill.lambda.run;

import java.util.function.LongSupplier;

/**
 * The invocation in which something is asked.
 *
 * @param functionArn as the caller named this function, with its qualifier
 * @param remainingMillis time until Lambda ends the invocation
 */
public record Call(String functionArn, LongSupplier remainingMillis) {}

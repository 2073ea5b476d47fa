package io.tidemill.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * A function to deploy.
 *
 * @param name letters, digits, dashes and underscores, as in Lambda
 * @param zip the package
 * @param handler {@code class::method}
 * @param memoryMegabytes size of an instance, which also decides its heap; 128 to 10,240
 * @param timeout how long an invocation may take before its instance is killed; up to 15 minutes
 * @param concurrency instances that may be busy at the same time
 * @param snapStart whether deploying starts the function once with its hooks of before a snapshot
 *     and after a restore, and instances start from the classes that it loaded
 * @param aliases qualifiers that callers may use beside {@code $LATEST} and version 1
 * @param environment variables of the function
 */
public record FunctionSpec(
    String name,
    Path zip,
    String handler,
    int memoryMegabytes,
    Duration timeout,
    int concurrency,
    boolean snapStart,
    Set<String> aliases,
    Map<String, String> environment) {
  private static final Duration TIMEOUT_MAX = Duration.ofMinutes(15);

  public FunctionSpec {
    if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException("not a function name: " + name);
    }
    if (memoryMegabytes < 128 || memoryMegabytes > 10_240) {
      throw new IllegalArgumentException("memory must be 128 to 10,240 MB: " + memoryMegabytes);
    }
    if (timeout.compareTo(TIMEOUT_MAX) > 0 || timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("timeout must be up to 15 minutes: " + timeout);
    }
    if (concurrency < 1) {
      throw new IllegalArgumentException("concurrency must be positive: " + concurrency);
    }
    aliases = Set.copyOf(aliases);
    environment = Map.copyOf(environment);
  }

  boolean knows(String qualifier) {
    return qualifier.equals("$LATEST") || qualifier.equals("1") || aliases.contains(qualifier);
  }
}

package io.tidemill.lambda.job;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Values that a job names instead of containing them: {@code ${secret:…}} and {@code ${ssm:…}}.
 * Remembers what it has given out, so that it can take it out of texts again. Thread-safe.
 */
public final class References {
  /** Shorter values are left in texts: they would be found everywhere. */
  private static final int REDACTED_CHARACTERS_MIN = 4;

  private static final String REDACTED = "***";

  private final Map<String, UnaryOperator<String>> schemes;
  private final Map<String, Map<String, String>> known = new ConcurrentHashMap<>();
  private final Set<String> secrets = ConcurrentHashMap.newKeySet();
  private volatile boolean gaveOut;

  /** What may be done a second time. */
  public interface Action<T, E extends Exception> {
    T perform() throws E;
  }

  /**
   * @param schemes by name, what gives the value of a reference
   */
  public References(Map<String, UnaryOperator<String>> schemes) {
    this.schemes = Map.copyOf(schemes);
  }

  /** Ways to look values up by scheme, each value looked up once. */
  public Map<String, UnaryOperator<String>> resolvers() {
    Map<String, UnaryOperator<String>> resolvers = new ConcurrentHashMap<>();
    schemes.forEach((scheme, lookup) -> resolvers.put(scheme, name -> value(scheme, name)));
    return resolvers;
  }

  private String value(String scheme, String name) {
    String value =
        known
            .computeIfAbsent(scheme, s -> new ConcurrentHashMap<>())
            .computeIfAbsent(name, schemes.get(scheme));
    gaveOut = true;
    if (value.length() >= REDACTED_CHARACTERS_MIN) {
      secrets.add(value);
    }
    return value;
  }

  /** Looks values up anew from now on: they may have been rotated. */
  public void forget() {
    known.clear();
  }

  /**
   * Does something that may be refused because it was given a value that was rotated since it was
   * looked up. If access is refused, it is tried once more with values that are looked up anew.
   *
   * @param startAnew lets go of all that has seen old values
   */
  public <T, E extends Exception> T withCurrentValues(Action<T, E> action, Runnable startAnew)
      throws E {
    try {
      return action.perform();
    } catch (TidemillException e) {
      if (e.code() != ErrorCode.FORBIDDEN || !gaveOut) {
        throw e;
      }
    }
    forget();
    startAnew.run();
    return action.perform();
  }

  /** The text with asterisks for every value that was given out. */
  public String redact(String text) {
    String redacted = text;
    for (String secret : secrets) {
      redacted = redacted.replace(secret, REDACTED);
    }
    return redacted;
  }
}

package io.tidemill.connectors;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The options of one stream, table or sink: names without case, values as text, read with a type
 * and checked. Where an option was written is kept for error messages.
 */
public final class Options {
  private final String owner;
  private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, String> origins = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  /**
   * @param owner what the options belong to, for messages, e.g. {@code stream orders}
   * @param values option names and texts
   * @param origins where each option was written, e.g. {@code job.sql:3:7}; may lack some
   */
  public Options(String owner, Map<String, String> values, Map<String, String> origins) {
    this.owner = owner;
    this.values.putAll(values);
    this.origins.putAll(origins);
  }

  public static Options of(String owner, Map<String, String> values) {
    return new Options(owner, values, Map.of());
  }

  /** These options and more; where both have a name, the one that was there stays. */
  public Options with(Map<String, String> more) {
    Options all = new Options(owner, more, origins);
    all.values.putAll(values);
    return all;
  }

  public String owner() {
    return owner;
  }

  /** Where the option stands in the job, or else what it belongs to. */
  public String at(String name) {
    return origins.getOrDefault(name, origins.getOrDefault("connector", owner));
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public String text(String name, String defaultValue) {
    return values.getOrDefault(name, defaultValue);
  }

  public String required(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new TidemillException(
              ErrorCode.INVALID_OPTION, "The " + owner + " needs the option '" + name + "'.")
          .with("at", at("connector"));
    }
    return value;
  }

  public boolean flag(String name, boolean defaultValue) {
    String value = values.get(name);
    if (value == null) {
      return defaultValue;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, "true or false");
    };
  }

  /** A whole number of at least {@code min}. */
  public OptionalLong number(String name, long min) {
    String value = values.get(name);
    if (value == null) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(value.trim());
      if (number >= min) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException e) {
      throw invalid(name, "a whole number of at least " + min);
    }
    throw invalid(name, "a whole number of at least " + min);
  }

  /** A duration such as {@code 15m}, {@code 10 seconds}, {@code 7d} or a number of milliseconds. */
  public Optional<Duration> duration(String name) {
    String value = values.get(name);
    if (value == null) {
      return Optional.empty();
    }
    return Optional.of(Durations.parse(value).orElseThrow(() -> invalid(name, "e.g. 15m, 10s")));
  }

  /** One of the given texts, compared without case, returned as listed. */
  public String oneOf(String name, String defaultValue, List<String> allowed) {
    String value = values.get(name);
    if (value == null) {
      return defaultValue;
    }
    return allowed.stream()
        .filter(a -> a.equalsIgnoreCase(value.trim()))
        .findFirst()
        .orElseThrow(
            () ->
                invalid(
                    name, "one of " + String.join(", ", allowed) + Nearest.hint(value, allowed)));
  }

  /** Options whose name starts with the prefix, without it, in their written case. */
  public Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new TreeMap<>();
    values.forEach(
        (name, value) -> {
          if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }

  /**
   * Fails with {@code UNKNOWN_OPTION} for an option that is neither known nor starts with a known
   * prefix (an entry that ends in a dot).
   */
  public void check(Collection<String> known) {
    List<String> names = new ArrayList<>(known);
    for (String name : values.keySet()) {
      boolean fine =
          names.stream()
              .anyMatch(
                  k ->
                      k.endsWith(".")
                          ? name.regionMatches(true, 0, k, 0, k.length())
                          : k.equalsIgnoreCase(name));
      if (!fine) {
        throw new TidemillException(
                ErrorCode.UNKNOWN_OPTION,
                "The " + owner + " has no option '" + name + "'." + Nearest.hint(name, names))
            .with("at", at(name));
      }
    }
  }

  /** An {@code INVALID_OPTION} error for the option, saying what it should be. Shows no value. */
  public TidemillException invalid(String name, String expected) {
    return new TidemillException(
            ErrorCode.INVALID_OPTION,
            "The option '"
                + name
                + "' of the "
                + owner
                + " is not valid: expected "
                + expected
                + ".")
        .with("at", at(name));
  }
}

package io.tidemill.connectors;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations as users of Spark write them. */
public final class Durations {
  private static final Pattern FORM = Pattern.compile("(\\d+)\\s*([a-zA-Z]*)");

  private Durations() {}

  /** The duration, or empty if the text is none. A bare number is milliseconds. */
  public static Optional<Duration> parse(String text) {
    Matcher m = FORM.matcher(text.trim());
    if (!m.matches() || m.group(1).length() > 15) {
      return Optional.empty();
    }
    long n = Long.parseLong(m.group(1));
    return switch (m.group(2).toLowerCase(Locale.ROOT)) {
      case "", "ms", "millisecond", "milliseconds" -> Optional.of(Duration.ofMillis(n));
      case "s", "sec", "second", "seconds" -> Optional.of(Duration.ofSeconds(n));
      case "m", "min", "minute", "minutes" -> Optional.of(Duration.ofMinutes(n));
      case "h", "hour", "hours" -> Optional.of(Duration.ofHours(n));
      case "d", "day", "days" -> Optional.of(Duration.ofDays(n));
      default -> Optional.empty();
    };
  }
}

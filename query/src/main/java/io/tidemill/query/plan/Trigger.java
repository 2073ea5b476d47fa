package io.tidemill.query.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When batches run. Spark 4.2: reference section 4.
 *
 * @param kind the kind
 * @param intervalMillis for processing time: ticks are multiples of it since the epoch
 */
public record Trigger(Kind kind, long intervalMillis) {
  private static final Pattern INTERVAL =
      Pattern.compile("(\\d+)\\s*(ms|milliseconds?|s|seconds?|m|minutes?|h|hours?|d|days?)");

  /** Kinds of trigger. */
  public enum Kind {
    /** The next batch starts when the one before is done. */
    DEFAULT,
    /** Batches at aligned ticks. */
    PROCESSING_TIME,
    /** Everything that is there at the start, within limits, then stop. */
    AVAILABLE_NOW,
    /** One batch without limits, then stop. */
    ONCE
  }

  public static Trigger asFastAsPossible() {
    return new Trigger(Kind.DEFAULT, 0);
  }

  public static Trigger availableNow() {
    return new Trigger(Kind.AVAILABLE_NOW, 0);
  }

  public static Trigger once() {
    return new Trigger(Kind.ONCE, 0);
  }

  public static Trigger processingTime(Duration interval) {
    long millis = interval.toMillis();
    return millis == 0 ? asFastAsPossible() : new Trigger(Kind.PROCESSING_TIME, millis);
  }

  /**
   * Reads {@code available-now}, {@code once}, {@code default} or an interval such as {@code 10
   * seconds}.
   */
  public static Optional<Trigger> parse(String text) {
    String t = text.trim().toLowerCase(Locale.ROOT);
    Optional<Trigger> named =
        switch (t) {
          case "default" -> Optional.of(asFastAsPossible());
          case "available-now", "availablenow" -> Optional.of(availableNow());
          case "once" -> Optional.of(once());
          default -> Optional.empty();
        };
    if (named.isPresent()) {
      return named;
    }
    Matcher m = INTERVAL.matcher(t);
    if (!m.matches() || m.group(1).length() > 12) {
      return Optional.empty();
    }
    long n = Long.parseLong(m.group(1));
    String unit = m.group(2);
    long factor =
        unit.startsWith("ms") || unit.startsWith("milli")
            ? 1
            : unit.startsWith("s")
                ? 1_000
                : unit.startsWith("m") ? 60_000 : unit.startsWith("h") ? 3_600_000 : 86_400_000;
    return Optional.of(processingTime(Duration.ofMillis(n * factor)));
  }

  @JsonCreator
  static Trigger fromText(String text) {
    return parse(text).orElseThrow(() -> new IllegalArgumentException("not a trigger: " + text));
  }

  @JsonValue
  public String text() {
    return switch (kind) {
      case DEFAULT -> "default";
      case AVAILABLE_NOW -> "available-now";
      case ONCE -> "once";
      case PROCESSING_TIME -> intervalMillis + " ms";
    };
  }
}

package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;

/**
 * A point in event time before which everything is taken to have arrived, in milliseconds since the
 * epoch, or none yet. Ordered, with none before every point.
 */
public record Watermark(Long millisOrNull) implements Comparable<Watermark> {
  public static final Watermark NONE = new Watermark(null);

  private static final String NONE_TEXT = "none";

  /** JSON null would leave a record's component null, so none is a word. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static Watermark fromJson(Object json) {
    if (json instanceof Number millis) {
      return ofMillis(millis.longValue());
    }
    if (NONE_TEXT.equals(json)) {
      return NONE;
    }
    throw new IllegalArgumentException("not a watermark: " + json);
  }

  @JsonValue
  Object toJson() {
    return isNone() ? NONE_TEXT : millisOrNull;
  }

  public static Watermark ofMillis(long millis) {
    return new Watermark(millis);
  }

  public boolean isNone() {
    return millisOrNull == null;
  }

  /** Milliseconds since the epoch; an error if there is none. */
  public long millis() {
    if (millisOrNull == null) {
      throw new IllegalStateException("there is no watermark yet");
    }
    return millisOrNull;
  }

  /** The later of the two. */
  public Watermark max(Watermark other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** The earlier of the two. */
  public Watermark min(Watermark other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** ISO 8601 with milliseconds; none shows as the epoch, as in Spark. */
  public String text() {
    String text = Instant.ofEpochMilli(isNone() ? 0 : millisOrNull).toString();
    return text.length() == 20 ? text.substring(0, 19) + ".000Z" : text;
  }

  @Override
  public int compareTo(Watermark other) {
    return Long.compare(
        isNone() ? Long.MIN_VALUE : millisOrNull,
        other.isNone() ? Long.MIN_VALUE : other.millisOrNull);
  }

  @Override
  public String toString() {
    return isNone() ? NONE_TEXT : text();
  }
}

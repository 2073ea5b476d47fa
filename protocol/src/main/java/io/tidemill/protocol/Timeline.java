package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Counts rewinds of a query, so that names written before a rewind never clash. */
public record Timeline(@JsonValue long value) implements Comparable<Timeline> {
  public static final Timeline FIRST = new Timeline(0);

  @JsonCreator
  public Timeline {
    if (value < 0) {
      throw new IllegalArgumentException("must not be negative: " + value);
    }
  }

  public Timeline next() {
    return new Timeline(value + 1);
  }

  @Override
  public int compareTo(Timeline other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}

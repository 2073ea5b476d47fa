package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Counts the runs that have written to a head; a run with an older epoch is fenced. */
public record Epoch(@JsonValue long value) implements Comparable<Epoch> {
  public static final Epoch FIRST = new Epoch(0);

  @JsonCreator
  public Epoch {
    if (value < 0) {
      throw new IllegalArgumentException("must not be negative: " + value);
    }
  }

  public Epoch next() {
    return new Epoch(value + 1);
  }

  @Override
  public int compareTo(Epoch other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}

package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Number of a micro-batch within a timeline, from 0. */
public record BatchId(@JsonValue long value) implements Comparable<BatchId> {
  public static final BatchId FIRST = new BatchId(0);

  @JsonCreator
  public BatchId {
    if (value < 0) {
      throw new IllegalArgumentException("must not be negative: " + value);
    }
  }

  public BatchId next() {
    return new BatchId(value + 1);
  }

  @Override
  public int compareTo(BatchId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}

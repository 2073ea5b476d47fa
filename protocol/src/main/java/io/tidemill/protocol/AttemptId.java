package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * Marks one try at a write. A writer that does not know whether its write happened reads back and
 * looks for its own attempt id.
 */
public record AttemptId(@JsonValue String value) {
  @JsonCreator
  public AttemptId {
    if (!value.matches("[A-Za-z0-9_-]{1,64}")) {
      throw new IllegalArgumentException("not an attempt id: " + value);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}

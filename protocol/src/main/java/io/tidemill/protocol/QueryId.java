package io.tidemill.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Identity of a query for the life of its checkpoint. */
public record QueryId(@JsonValue String value) {
  @JsonCreator
  public QueryId {
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException("a query id must not be empty");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}

package io.tidemill.protocol.source;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * A point in a source: everything before it has been read. The JSON is the connector's own, e.g.
 * {@code {"orders":{"0":23,"1":5}}} for Kafka.
 */
public record SourcePosition(@JsonValue JsonNode json) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public SourcePosition {
    if (json == null || json.isNull()) {
      throw new IllegalArgumentException("a position must not be null");
    }
  }
}

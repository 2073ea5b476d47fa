package io.tidemill.protocol.source;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A point in a source: everything before it has been read. The JSON is the connector's own, e.g.
 * {@code {"orders":{"0":23,"1":5}}} for Kafka. Two positions are equal if their texts say the same,
 * however the numbers in them were made.
 */
public record SourcePosition(@JsonValue JsonNode json) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public SourcePosition {
    if (json == null || json.isNull()) {
      throw new IllegalArgumentException("a position must not be null");
    }
    json = canonical(json);
  }

  /** The same JSON with each whole number as a long: Jackson's int 5 does not equal its long 5. */
  private static JsonNode canonical(JsonNode node) {
    if (node.isObject()) {
      ObjectNode copy = JsonNodeFactory.instance.objectNode();
      node.fields().forEachRemaining(f -> copy.set(f.getKey(), canonical(f.getValue())));
      return copy;
    }
    if (node.isArray()) {
      ArrayNode copy = JsonNodeFactory.instance.arrayNode(node.size());
      node.forEach(element -> copy.add(canonical(element)));
      return copy;
    }
    return node.isIntegralNumber() && node.canConvertToLong()
        ? JsonNodeFactory.instance.numberNode(node.longValue())
        : node;
  }
}

package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * A number for each of some partitions, ordered by topic and partition: offsets as a rule, where
 * everything before the offset has been read. As JSON: {@code {"orders":{"0":23,"1":5}}}.
 */
record PartitionOffsets(NavigableMap<TopicPartition, Long> map) {
  static final Comparator<TopicPartition> ORDER =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  PartitionOffsets {
    NavigableMap<TopicPartition, Long> sorted = new TreeMap<>(ORDER);
    sorted.putAll(map);
    map = Collections.unmodifiableNavigableMap(sorted);
  }

  static PartitionOffsets of(Map<TopicPartition, Long> offsets) {
    NavigableMap<TopicPartition, Long> sorted = new TreeMap<>(ORDER);
    sorted.putAll(offsets);
    return new PartitionOffsets(sorted);
  }

  /** Reads the JSON form, or empty if it is of another shape. */
  static Optional<PartitionOffsets> parse(JsonNode json) {
    if (!json.isObject()) {
      return Optional.empty();
    }
    NavigableMap<TopicPartition, Long> offsets = new TreeMap<>(ORDER);
    for (Map.Entry<String, JsonNode> topic : json.properties()) {
      if (!topic.getValue().isObject()) {
        return Optional.empty();
      }
      for (Map.Entry<String, JsonNode> entry : topic.getValue().properties()) {
        JsonNode offset = entry.getValue();
        if (!entry.getKey().matches("\\d{1,9}")
            || !offset.isIntegralNumber()
            || !offset.canConvertToLong()) {
          return Optional.empty();
        }
        int partition = Integer.parseInt(entry.getKey());
        offsets.put(new TopicPartition(topic.getKey(), partition), offset.longValue());
      }
    }
    return Optional.of(new PartitionOffsets(offsets));
  }

  Set<TopicPartition> partitions() {
    return map.keySet();
  }

  OptionalLong find(TopicPartition partition) {
    Long offset = map.get(partition);
    return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    map.forEach(
        (partition, offset) ->
            json.withObjectProperty(partition.topic())
                .set(Integer.toString(partition.partition()), number(offset)));
    return json;
  }

  /** The node that a parser makes of the number, so that equal positions are equal. */
  private static JsonNode number(long offset) {
    return offset == (int) offset ? IntNode.valueOf((int) offset) : LongNode.valueOf(offset);
  }
}

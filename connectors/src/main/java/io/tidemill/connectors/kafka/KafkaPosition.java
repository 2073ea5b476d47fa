package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourcePosition;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Offsets, and which topics they are of: a topic that is deleted and created anew has another id
 * (KIP-516), and its offsets mean other records. As JSON: {@code
 * {"orders":{"0":23,"1":5,"id":"Ln0v…"}}}. An id is missing where it is not known: in a position
 * that an earlier version stored, or with brokers before 2.8.
 *
 * @param ids by topic; of topics without an offset they are left out
 */
record KafkaPosition(PartitionOffsets offsets, NavigableMap<String, String> ids) {
  private static final String ID = "id";

  KafkaPosition {
    NavigableMap<String, String> own = new TreeMap<>(ids);
    own.keySet().retainAll(topics(offsets));
    ids = Collections.unmodifiableNavigableMap(own);
  }

  /** Reads a position that this connector wrote. */
  static KafkaPosition of(SourcePosition position) {
    NavigableMap<String, String> ids = new TreeMap<>();
    JsonNode offsets = position.json().deepCopy();
    for (Map.Entry<String, JsonNode> topic : offsets.properties()) {
      if (topic.getValue() instanceof ObjectNode partitions && partitions.path(ID).isTextual()) {
        ids.put(topic.getKey(), partitions.remove(ID).textValue());
      }
    }
    return new KafkaPosition(
        PartitionOffsets.parse(offsets)
            .orElseThrow(
                () ->
                    new TidemillException(
                            ErrorCode.CHECKPOINT_CORRUPT,
                            "A stored Kafka position is not of the form topic, partition, offset.")
                        .with("position", position.json())),
        ids);
  }

  SourcePosition position() {
    ObjectNode json = offsets.json();
    ids.forEach((topic, id) -> json.withObjectProperty(topic).put(ID, id));
    return new SourcePosition(json);
  }

  /** Topics that have been created anew since the other position, as far as that is known. */
  Set<String> createdAnewSince(KafkaPosition before) {
    Set<String> anew = new TreeSet<>();
    ids.forEach(
        (topic, id) -> {
          if (!id.equals(before.ids.getOrDefault(topic, id))) {
            anew.add(topic);
          }
        });
    return anew;
  }

  /**
   * This position after the other one. Ids are never forgotten; and if only an id has become known,
   * nothing is new, which is the other position itself.
   */
  KafkaPosition after(KafkaPosition before) {
    NavigableMap<String, String> all = new TreeMap<>(before.ids);
    all.putAll(ids);
    boolean same = offsets.equals(before.offsets) && createdAnewSince(before).isEmpty();
    return same ? before : new KafkaPosition(offsets, all);
  }

  /** This position without the offsets of some topics. */
  KafkaPosition without(Set<String> topics) {
    return new KafkaPosition(
        PartitionOffsets.of(
            offsets.map().entrySet().stream()
                .filter(e -> !topics.contains(e.getKey().topic()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))),
        ids);
  }

  private static Set<String> topics(PartitionOffsets offsets) {
    Set<String> topics = new TreeSet<>();
    offsets.partitions().forEach(p -> topics.add(p.topic()));
    return topics;
  }
}

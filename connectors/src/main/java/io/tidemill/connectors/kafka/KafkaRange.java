package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.source.SourceSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * Offsets of one partition, {@code from} inclusive, {@code until} exclusive. It may hold fewer
 * records than offsets: transaction markers, aborted and compacted records leave gaps.
 */
record KafkaRange(String topic, int partition, long from, long until) {
  static KafkaRange of(TopicPartition partition, long from, long until) {
    return new KafkaRange(partition.topic(), partition.partition(), from, until);
  }

  static KafkaRange of(SourceSplit split) {
    JsonNode json = split.range();
    if (!json.path("topic").isTextual()
        || !json.path("partition").isInt()
        || !json.path("from").isIntegralNumber()
        || !json.path("until").isIntegralNumber()) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_CORRUPT, "A stored Kafka range is not what was written.")
          .with("range", json);
    }
    return new KafkaRange(
        json.path("topic").textValue(),
        json.path("partition").intValue(),
        json.path("from").longValue(),
        json.path("until").longValue());
  }

  TopicPartition topicPartition() {
    return new TopicPartition(topic, partition);
  }

  long size() {
    return until - from;
  }

  SourceSplit split() {
    return new SourceSplit(
        JsonNodeFactory.instance
            .objectNode()
            .put("topic", topic)
            .put("partition", partition)
            .put("from", from)
            .put("until", until),
        size());
  }
}

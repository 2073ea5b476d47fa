package io.tidemill.connectors.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Options;
import io.tidemill.protocol.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.TopicPartition;

/**
 * Which partitions a stream reads; exactly one of the three is there.
 *
 * @param topics all partitions of these topics
 * @param pattern all partitions of topics whose name contains a match; internal topics excluded
 * @param partitions exactly these
 */
record TopicSelection(
    Optional<NavigableSet<String>> topics,
    Optional<Pattern> pattern,
    Optional<NavigableSet<TopicPartition>> partitions) {
  static final String SUBSCRIBE = "subscribe";
  static final String PATTERN = "subscribePattern";
  static final String ASSIGN = "assign";

  static TopicSelection of(Options options) {
    List<String> given =
        List.of(SUBSCRIBE, PATTERN, ASSIGN).stream()
            .filter(name -> options.text(name).isPresent())
            .toList();
    if (given.isEmpty()) {
      throw options.invalid(
          SUBSCRIBE, "it, subscribePattern or assign to say which topics to read");
    }
    if (given.size() > 1) {
      throw options
          .invalid(given.get(1), "only one of subscribe, subscribePattern and assign")
          .with("given", String.join(", ", given));
    }
    return switch (given.get(0)) {
      case SUBSCRIBE -> subscribe(options);
      case PATTERN -> pattern(options);
      default -> assign(options);
    };
  }

  private static TopicSelection subscribe(Options options) {
    NavigableSet<String> topics =
        new TreeSet<>(
            Arrays.stream(options.required(SUBSCRIBE).split(",", -1))
                .map(String::trim)
                .filter(t -> !t.isEmpty())
                .toList());
    if (topics.isEmpty()) {
      throw options.invalid(SUBSCRIBE, "topic names with commas between them");
    }
    return new TopicSelection(Optional.of(topics), Optional.empty(), Optional.empty());
  }

  private static TopicSelection pattern(Options options) {
    try {
      Pattern pattern = Pattern.compile(options.required(PATTERN));
      return new TopicSelection(Optional.empty(), Optional.of(pattern), Optional.empty());
    } catch (PatternSyntaxException e) {
      throw options.invalid(PATTERN, "a regular expression").with("problem", e.getDescription());
    }
  }

  private static TopicSelection assign(Options options) {
    JsonNode json =
        json(options, ASSIGN)
            .filter(JsonNode::isObject)
            .orElseThrow(() -> options.invalid(ASSIGN, "JSON such as {\"orders\":[0,1]}"));
    NavigableSet<TopicPartition> partitions = new TreeSet<>(PartitionOffsets.ORDER);
    for (Map.Entry<String, JsonNode> topic : json.properties()) {
      for (JsonNode partition : topic.getValue()) {
        if (!partition.isInt() || partition.intValue() < 0) {
          throw options.invalid(ASSIGN, "partition numbers, as in {\"orders\":[0,1]}");
        }
        partitions.add(new TopicPartition(topic.getKey(), partition.intValue()));
      }
    }
    if (partitions.isEmpty()) {
      throw options.invalid(ASSIGN, "at least one partition, as in {\"orders\":[0,1]}");
    }
    return new TopicSelection(Optional.empty(), Optional.empty(), Optional.of(partitions));
  }

  /** The option as JSON, or empty if it is no JSON. */
  static Optional<JsonNode> json(Options options, String name) {
    try {
      return Optional.of(Json.MAPPER.readTree(options.required(name)));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** For people, e.g. {@code subscribe=orders}. */
  String text() {
    return topics
        .map(t -> SUBSCRIBE + "=" + String.join(",", t))
        .or(() -> pattern.map(p -> PATTERN + "=" + p.pattern()))
        .orElseGet(() -> ASSIGN + "=" + partitions.orElseThrow());
  }
}

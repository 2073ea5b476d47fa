package io.tidemill.benchmarks.harness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import java.util.List;
import java.util.Optional;

/**
 * One batch as an engine reports it, under the names of Spark's progress object.
 *
 * @param arrivedNanos time from the start of the process to the report
 * @param batch batch id
 * @param inputRows rows read
 * @param batchMillis duration of the batch by the engine's own clock
 */
public record BatchProgress(long arrivedNanos, long batch, long inputRows, long batchMillis) {

  /** The batches among the lines of a process; other lines are passed over. */
  static List<BatchProgress> of(List<TimedLine> lines) {
    return lines.stream().flatMap(line -> parse(line).stream()).toList();
  }

  private static Optional<BatchProgress> parse(TimedLine line) {
    if (!line.text().startsWith("{")) {
      return Optional.empty();
    }
    try {
      JsonNode node = Json.MAPPER.readTree(line.text());
      if (!node.has("batchId")) {
        return Optional.empty();
      }
      return Optional.of(
          new BatchProgress(
              line.nanos(),
              node.get("batchId").asLong(),
              node.path("numInputRows").asLong(),
              node.path("durationMs").path("triggerExecution").asLong()));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("A progress line is not JSON: " + line.text(), e);
    }
  }
}

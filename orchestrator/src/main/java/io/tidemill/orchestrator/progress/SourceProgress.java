package io.tidemill.orchestrator.progress;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a batch read of one source.
 *
 * @param latestOffset the newest position known when the batch was planned
 * @param numInputRows rows read, malformed ones included
 * @param metrics the connector's own, and numMalformedRows
 */
public record SourceProgress(
    String description,
    JsonNode startOffset,
    JsonNode endOffset,
    JsonNode latestOffset,
    long numInputRows,
    Optional<Double> inputRowsPerSecond,
    Optional<Double> processedRowsPerSecond,
    Map<String, String> metrics) {
  public SourceProgress {
    metrics = new TreeMap<>(metrics);
  }
}

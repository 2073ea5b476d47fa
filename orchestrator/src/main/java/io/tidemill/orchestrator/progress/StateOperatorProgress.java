package io.tidemill.orchestrator.progress;

import java.util.Map;
import java.util.TreeMap;

/**
 * What a stateful operator did in a batch.
 *
 * @param operatorName Spark's name of the operator
 * @param numRowsTotal rows in state afterwards
 * @param memoryUsedBytes size of the state's files
 * @param numRowsDroppedByWatermark input rows dropped as late, exactly
 * @param numShufflePartitions shards of this batch
 * @param customMetrics among them numGroupsDroppedByWatermark: late groups as Spark counts them
 */
public record StateOperatorProgress(
    String operatorName,
    long numRowsTotal,
    long numRowsUpdated,
    long numRowsRemoved,
    long memoryUsedBytes,
    long numRowsDroppedByWatermark,
    long numShufflePartitions,
    Map<String, Long> customMetrics) {
  public StateOperatorProgress {
    customMetrics = new TreeMap<>(customMetrics);
  }
}

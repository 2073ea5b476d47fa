package io.tidemill.orchestrator.progress;

/**
 * What a batch wrote.
 *
 * @param numOutputRows rows emitted to the query's sink
 */
public record SinkProgress(String description, long numOutputRows) {}

package io.tidemill.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;

/**
 * What a batch did, for people.
 *
 * @param progress the batch's progress object
 */
public record HistoryEntry(Timeline timeline, BatchId batch, JsonNode progress) {}

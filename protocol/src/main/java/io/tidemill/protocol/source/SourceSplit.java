package io.tidemill.protocol.source;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A part of a source's range that one task can read by itself.
 *
 * @param range the connector's own description, enough to read exactly these rows again
 * @param estimatedRows about how many rows it holds; an upper bound where markers or compaction
 *     leave gaps
 */
public record SourceSplit(JsonNode range, long estimatedRows) {}

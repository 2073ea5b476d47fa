package io.tidemill.connectors;

import io.tidemill.protocol.QueryId;
import io.tidemill.storage.Blob;

/**
 * What a sink knows of its query.
 *
 * @param query the query's identity, stable over restarts
 * @param queryName what people call it
 * @param checkpoint place for staged output, below {@code sink/}
 */
public record SinkContext(QueryId query, String queryName, Blob checkpoint) {}

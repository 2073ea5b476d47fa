package io.tidemill.checkpoint;

/**
 * A head as it was read.
 *
 * @param version version of the register it was read from
 */
public record StoredHead(long version, Head head) {}

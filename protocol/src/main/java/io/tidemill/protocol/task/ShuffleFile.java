package io.tidemill.protocol.task;

/**
 * Rows that one task hands to the stage behind it, sorted by bucket.
 *
 * @param toStage the stage that reads it
 * @param key blob key below the checkpoint
 */
public record ShuffleFile(int toStage, String key, long rows, long bytes, long checksum) {}

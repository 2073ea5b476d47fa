package io.tidemill.protocol.state;

import io.tidemill.protocol.Buckets;

/**
 * One immutable Parquet object of keyed state.
 *
 * @param key blob key below the checkpoint
 * @param buckets keys in the file lie in these buckets
 * @param base true if it holds all rows of its buckets, false if it changes those before it
 * @param rows rows in the file
 * @param bytes size of the object
 * @param checksum CRC-32C of the object
 * @param batch batch that wrote it
 */
public record StateFile(
    String key, Buckets buckets, boolean base, long rows, long bytes, long checksum, long batch) {}

package io.tidemill.protocol.state;

import io.tidemill.protocol.Buckets;

/**
 * One immutable Parquet object of keyed state, or the part of it that a version still reads.
 *
 * @param key blob key below the checkpoint
 * @param buckets what to read from it: only rows of these buckets. After shards were split or
 *     merged the object may hold others too, which belong to other segments or are out of date
 * @param base true if it holds all rows of its buckets, false if it changes those before it
 * @param rows rows in the object
 * @param bytes size of the object
 * @param checksum CRC-32C of the object
 * @param batch batch that wrote it; grows over the life of a query, also across timelines
 */
public record StateFile(
    String key, Buckets buckets, boolean base, long rows, long bytes, long checksum, long batch) {

  /** The same object with other buckets to read. */
  public StateFile cut(Buckets part) {
    return part.equals(buckets)
        ? this
        : new StateFile(key, part, base, rows, bytes, checksum, batch);
  }
}

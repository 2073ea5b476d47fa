package io.tidemill.state;

/**
 * When a shard's files are replaced by one with all its rows. Waste is the rows in files that a
 * load reads in vain: replaced, removed, evicted, or of other shards.
 *
 * @param filesMax no version of a shard has more files; more mean slower loads
 * @param filesIdle up to so many files are not worth a rewrite unless there is much waste
 * @param wasteShare beyond {@code filesIdle}, waste of one row in so many live ones is worth a
 *     rewrite; more mean fewer rewrites
 * @param wasteRowsMin with few files, waste below so many rows is not worth a rewrite
 */
public record StateSettings(int filesMax, int filesIdle, int wasteShare, long wasteRowsMin) {
  public static final StateSettings DEFAULT = new StateSettings(64, 16, 8, 100_000);

  public StateSettings {
    if (filesMax < 1 || filesIdle < 0 || wasteShare < 1 || wasteRowsMin < 0) {
      throw new IllegalArgumentException(
          "counts must not be negative, filesMax and wasteShare at least 1");
    }
  }

  /**
   * @param files files of the shard if one more delta is written
   * @param fileRows rows in them
   * @param liveRows rows of the shard, which a rewrite would write
   */
  boolean worthRewriting(int files, long fileRows, long liveRows) {
    long waste = fileRows - liveRows;
    return files > filesMax
        || waste >= Math.max(liveRows, wasteRowsMin)
        || (files > filesIdle && waste >= liveRows / wasteShare);
  }
}

package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.storage.Blob;

/**
 * How many shards a stage behind a shuffle has in a batch. Decided once the stage before it is
 * done; a replay runs the shards that were decided first.
 */
public final class LayoutRecords {
  private static final String KIND = "layout";

  private final Blob blob;

  public LayoutRecords(Blob blob) {
    this.blob = blob;
  }

  private record Shards(int shards) {}

  /** The number of shards that counts: the wished one, or the one that was recorded first. */
  public int decide(Timeline timeline, BatchId batch, int stage, int wished) {
    String key = CheckpointKeys.layout(timeline, batch, stage);
    byte[] there = FirstWins.putOrGet(blob, key, StoredJson.write(KIND, new Shards(wished)));
    return StoredJson.read(KIND, there, Shards.class, key).shards();
  }
}

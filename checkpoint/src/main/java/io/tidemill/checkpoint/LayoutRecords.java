package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.storage.Blob;

/**
 * How many shards a stage behind a shuffle has in a batch. Decided once the stage before it is
 * done; a replay runs the shards that were decided first. Always objects: a record that may expire
 * before those of the tasks it decided about would let a replay mix two layouts.
 */
public final class LayoutRecords {
  private static final String KIND = "layout";

  private final Records records;

  public LayoutRecords(Blob blob) {
    this.records = Records.in(blob);
  }

  private record Shards(int shards) {}

  /** The number of shards that counts: the wished one, or the one that was recorded first. */
  public int decide(Timeline timeline, BatchId batch, int stage, int wished) {
    String key = CheckpointKeys.layout(timeline, batch, stage);
    byte[] there = records.putOrGet(key, StoredJson.write(KIND, new Shards(wished)));
    return StoredJson.read(KIND, there, Shards.class, key).shards();
  }
}

package io.tidemill.lambda.platform;

import io.tidemill.checkpoint.Records;
import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Checkpoints in local directories: for functions that share a machine. */
final class LocalCheckpoints implements Checkpoints {
  private final Ids ids;
  private final InstantSource clock;

  LocalCheckpoints(Ids ids, InstantSource clock) {
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  public OpenCheckpoint open(String location) {
    Path directory = Path.of(location);
    Blob blob = new LocalBlob(directory, ids, clock, Durability.SYNC);
    return new OpenCheckpoint(blob, new ChainRegister(blob), Records.in(blob), List.of(directory));
  }
}

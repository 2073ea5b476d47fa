package io.tidemill.storage.fault;

import io.tidemill.storage.Blob;
import io.tidemill.storage.BlobContract;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.time.InstantSource;
import java.util.SplittableRandom;

class FaultyLocalBlobTest extends BlobContract {
  private final FaultSource faults = new SeededFaults(new SplittableRandom(2), 0.4);
  private final CountedIds handles = new CountedIds("handle");

  @Override
  protected Blob open() {
    CountedIds ids = new CountedIds(handles.next());
    Blob local =
        new LocalBlob(directory.resolve("store"), ids, InstantSource.system(), Durability.NONE);
    return new FaultyBlob(local, faults);
  }

  @Override
  protected int rounds() {
    return 20;
  }
}

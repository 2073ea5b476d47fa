package io.tidemill.storage.fault;

import io.tidemill.storage.Blob;
import io.tidemill.storage.BlobContract;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;

class FaultyMemoryBlobTest extends BlobContract {
  private final FaultyBlob blob =
      new FaultyBlob(new MemoryBlob(), new SeededFaults(new SplittableRandom(1), 0.4));

  @Override
  protected Blob open() {
    return blob;
  }

  @AfterEach
  void close() {
    blob.close();
  }
}

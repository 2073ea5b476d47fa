package io.tidemill.storage.memory;

import io.tidemill.storage.Blob;
import io.tidemill.storage.FolderBlobContract;
import org.junit.jupiter.api.AfterEach;

class MemoryBlobTest extends FolderBlobContract {
  private final MemoryBlob blob = new MemoryBlob();

  @Override
  protected Blob open() {
    return blob;
  }

  @AfterEach
  void close() {
    blob.close();
  }
}

package io.tidemill.heads;

import io.tidemill.storage.Store;
import io.tidemill.storage.local.LocalPaths;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

class DiskSpilledHeadTest extends SpilledHeadContract {
  @TempDir private Path directory;

  @Override
  Store open() {
    AtomicInteger ids = new AtomicInteger();
    return new LocalPaths(() -> "id" + ids.incrementAndGet(), InstantSource.system())
        .store(directory.resolve("checkpoint").toString());
  }
}

package io.tidemill.chaos;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ListedBlob;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.fault.FaultyItems;
import io.tidemill.storage.fault.FaultyRegister;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import io.tidemill.storage.memory.MemoryItems;
import io.tidemill.storage.memory.MemoryRegister;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Blobs are files; heads, records and items of the one checkpoint are in memory. */
final class DiskCloud implements Cloud {
  private final Path root;
  private final Ids ids;
  private final MemoryRegister heads = new MemoryRegister();
  private final MemoryRegister records = new MemoryRegister();
  private final MemoryItems items = new MemoryItems();

  DiskCloud(Path root, Ids ids) {
    this.root = root;
    this.ids = ids;
  }

  @Override
  public Locations locations(FaultSource process, Path scratch) {
    return new Locations(Map.of("file", new Faulty(process)));
  }

  @Override
  public String checkpoints() {
    return root.resolve("checkpoints").toString();
  }

  @Override
  public String results() {
    return root.resolve("results").toString();
  }

  @Override
  public void close() {}

  private final class Faulty implements Locations.Scheme {
    private final FaultSource process;

    Faulty(FaultSource process) {
      this.process = process;
    }

    @Override
    public Blob blob(String location) {
      return new FaultyBlob(
          new LocalBlob(Path.of(location), ids, InstantSource.system(), Durability.NONE), process);
    }

    @Override
    public ListedBlob files(String location) {
      throw new IllegalArgumentException("files of a path are read without a store: " + location);
    }

    @Override
    public Store store(String location) {
      return new Store(
          blob(location),
          new FaultyRegister(heads, process),
          Optional.of(new FaultyRegister(records, process)),
          Optional.of(new FaultyItems(items, process)),
          List.of(Path.of(location)));
    }
  }
}

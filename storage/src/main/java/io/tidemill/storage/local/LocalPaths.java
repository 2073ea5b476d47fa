package io.tidemill.storage.local;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.ChainRegister;
import io.tidemill.storage.ListedBlob;
import io.tidemill.storage.Locations;
import io.tidemill.storage.Store;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Locations that are paths of this machine. */
public final class LocalPaths implements Locations.Scheme {
  private final Ids ids;
  private final InstantSource clock;

  public LocalPaths(Ids ids, InstantSource clock) {
    this.ids = ids;
    this.clock = clock;
  }

  @Override
  public Blob blob(String location) {
    return new LocalBlob(Locations.path(location), ids, clock, Durability.SYNC);
  }

  @Override
  public ListedBlob files(String location) {
    throw new IllegalArgumentException("files of a path are read without a store: " + location);
  }

  @Override
  public Store store(String location) {
    Path directory = Locations.path(location);
    Blob blob = blob(location);
    return new Store(blob, new ChainRegister(blob), Optional.empty(), List.of(directory));
  }
}

package io.tidemill.connectors.testing;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Blob;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A local store for tests, and a look at what is in it. */
public final class Folder {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final Ids IDS = () -> "t" + COUNT.incrementAndGet();

  private Folder() {}

  public static Blob blob(Path root) {
    return new LocalBlob(root, IDS, InstantSource.fixed(Instant.EPOCH), Durability.NONE);
  }

  /** All files below the root, as paths relative to it, in order; but the store's own. */
  public static List<String> files(Path root) {
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> root.relativize(f).toString())
          .filter(f -> !f.startsWith(".tmp"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.tidemill.storage.local;

import io.tidemill.protocol.Ids;
import io.tidemill.storage.Keys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Files being written, in a folder of the store that listings leave out. A file gets its final name
 * only when it is complete.
 */
final class Staging {
  /** A file untouched for so long belongs to a dead process. */
  static final Duration ABANDONED_AFTER = Duration.ofHours(1);

  private final Path directory;
  private final Ids ids;
  private final InstantSource clock;
  private final boolean sync;
  private boolean swept;

  Staging(Path root, Ids ids, InstantSource clock, Durability durability) {
    this.directory = root.resolve(Keys.RESERVED);
    this.ids = ids;
    this.clock = clock;
    this.sync = durability == Durability.SYNC;
  }

  /** Writes the bytes to a new file. */
  Path write(byte[] bytes) throws IOException {
    Path file = next();
    try (FileChannel channel = create(file)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      if (sync) {
        channel.force(true);
      }
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    return file;
  }

  /** Copies a file, perhaps of another file system, to a new one. */
  Path copy(Path from) throws IOException {
    Path file = next();
    try {
      Files.copy(from, file);
      sync(file);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
    return file;
  }

  /** Forces a file's content to disk, if the store is durable. */
  void sync(Path file) throws IOException {
    if (sync) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }

  private static FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private synchronized Path next() throws IOException {
    Files.createDirectories(directory);
    if (!swept) {
      sweep();
      swept = true;
    }
    return directory.resolve(ids.next());
  }

  private void sweep() throws IOException {
    Instant abandoned = clock.instant().minus(ABANDONED_AFTER);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        removeIfOlder(file, abandoned);
      }
    }
  }

  private static void removeIfOlder(Path file, Instant abandoned) throws IOException {
    try {
      if (Files.getLastModifiedTime(file).toInstant().isBefore(abandoned)) {
        Files.deleteIfExists(file);
      }
    } catch (NoSuchFileException e) {
      // Its writer, or another sweep, has removed it.
      return;
    }
  }
}

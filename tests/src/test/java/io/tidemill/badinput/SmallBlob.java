package io.tidemill.badinput;

import io.tidemill.storage.Blob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A store on a small disk. What is deleted makes room again. */
final class SmallBlob implements Blob {
  private final Blob blob;
  private final SmallDisk disk;

  SmallBlob(Blob blob, SmallDisk disk) {
    this.blob = blob;
    this.disk = disk;
  }

  @Override
  public PutOutcome putIfAbsent(String key, byte[] bytes) {
    disk.take(bytes.length, location());
    return settled(blob.putIfAbsent(key, bytes), bytes.length);
  }

  @Override
  public PutOutcome putFileIfAbsent(String key, Path file) {
    try {
      long bytes = Files.size(file);
      disk.take(bytes, location());
      return settled(blob.putFileIfAbsent(key, file), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A second name takes no space. */
  @Override
  public PutOutcome copyIfAbsent(String fromKey, String toKey) {
    return blob.copyIfAbsent(fromKey, toKey);
  }

  private PutOutcome settled(PutOutcome outcome, long bytes) {
    if (outcome == PutOutcome.CONFLICT) {
      disk.add(bytes);
    }
    return outcome;
  }

  @Override
  public Optional<byte[]> get(String key) {
    return blob.get(key);
  }

  @Override
  public Optional<Path> localFile(String key) {
    return blob.localFile(key);
  }

  @Override
  public Optional<Long> size(String key) {
    return blob.size(key);
  }

  @Override
  public List<String> list(String prefix, String startAfter, int limit) {
    return blob.list(prefix, startAfter, limit);
  }

  @Override
  public void delete(String key) {
    long bytes = blob.size(key).orElse(0L);
    blob.delete(key);
    disk.add(bytes);
  }

  @Override
  public String location() {
    return blob.location();
  }

  @Override
  public void close() {
    blob.close();
  }
}

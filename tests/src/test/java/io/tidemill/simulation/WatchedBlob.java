package io.tidemill.simulation;

import io.tidemill.storage.Blob;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The blobs themselves; says what is deleted, and when the head may have changed. */
final class WatchedBlob implements Blob {
  private final Blob blob;
  private Consumer<String> onDelete = key -> {};
  private Runnable onHead = () -> {};

  WatchedBlob(Blob blob) {
    this.blob = blob;
  }

  void onDelete(Consumer<String> watcher) {
    onDelete = watcher;
  }

  /** Tells of new objects of a register named head. */
  void onHead(Runnable watcher) {
    onHead = watcher;
  }

  @Override
  public PutOutcome putIfAbsent(String key, byte[] bytes) {
    PutOutcome outcome = blob.putIfAbsent(key, bytes);
    if (key.startsWith("head/")) {
      onHead.run();
    }
    return outcome;
  }

  @Override
  public PutOutcome putFileIfAbsent(String key, Path file) {
    return blob.putFileIfAbsent(key, file);
  }

  @Override
  public PutOutcome copyIfAbsent(String fromKey, String toKey) {
    return blob.copyIfAbsent(fromKey, toKey);
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
    if (blob.size(key).isPresent()) {
      onDelete.accept(key);
    }
    blob.delete(key);
  }

  @Override
  public String location() {
    return "simulation";
  }

  @Override
  public void close() {
    blob.close();
  }
}

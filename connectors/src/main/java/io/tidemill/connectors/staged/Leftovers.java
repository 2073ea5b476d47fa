package io.tidemill.connectors.staged;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.storage.Blob;
import java.util.List;

/**
 * Removes what attempts staged and nobody published: everything under a prefix up to a published
 * batch. Looks at the first batch published and then now and then, for a listing costs a request.
 * Used by one thread.
 */
public final class Leftovers {
  /** Published batches between two looks. */
  private static final int EVERY = 50;

  private static final int PAGE = 1000;

  private final Blob blob;
  private final String prefix;
  private int published;

  /**
   * @param prefix of keys that go on with a task's path
   */
  public Leftovers(Blob blob, String prefix) {
    this.blob = blob;
    this.prefix = prefix;
  }

  /** Tells that a batch, and so every batch before it, is published. */
  public void published(Timeline timeline, BatchId batch) {
    if (published++ % EVERY == 0) {
      remove(timeline, batch);
    }
  }

  private void remove(Timeline timeline, BatchId batch) {
    String after = "";
    List<String> keys = blob.list(prefix, after, PAGE);
    while (!keys.isEmpty()) {
      keys.stream().filter(k -> isBehind(k, timeline, batch)).forEach(blob::delete);
      after = keys.get(keys.size() - 1);
      keys = keys.size() < PAGE ? List.of() : blob.list(prefix, after, PAGE);
    }
  }

  private boolean isBehind(String key, Timeline timeline, BatchId batch) {
    String[] parts = key.substring(prefix.length()).split("/", 3);
    if (parts.length < 3 || !parts[0].matches("\\d{1,18}") || !parts[1].matches("\\d{1,18}")) {
      return false;
    }
    long keyTimeline = Long.parseLong(parts[0]);
    return keyTimeline < timeline.value()
        || (keyTimeline == timeline.value() && Long.parseLong(parts[1]) <= batch.value());
  }
}

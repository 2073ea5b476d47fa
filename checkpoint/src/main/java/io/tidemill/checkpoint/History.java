package io.tidemill.checkpoint;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.Timeline;
import io.tidemill.storage.Blob;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One entry per batch, for people. The newest ones are in the head, so a batch costs no write of
 * its own; older ones are in blobs of many batches. Thread-safe.
 */
public final class History {
  /** Entries in the head before they become a blob. */
  public static final int ENTRIES_MAX = 32;

  /**
   * Bytes of entries in the head before they become a blob: each write of the head carries them. In
   * DynamoDB they are packed to about 2 KB; to carry that costs as much as the blob, so more or
   * less of them would cost more.
   */
  static final int BYTES_MAX = 16_000;

  private static final String KIND = "history";
  private static final int PAGE = 1_000;

  private final Blob blob;

  public History(Blob blob) {
    this.blob = blob;
  }

  private record Entries(List<HistoryEntry> entries) {}

  /**
   * Writes the head's entries as a blob if there are enough of them. Repeatable: the same head
   * gives the same blob.
   *
   * @return the last batch in the blob, to be dropped from the head with its next write
   */
  public Optional<BatchId> flushIfDue(Head head) {
    List<HistoryEntry> entries = head.recent();
    if (entries.isEmpty()
        || (entries.size() < ENTRIES_MAX && Json.bytes(entries).length < BYTES_MAX)) {
      return Optional.empty();
    }
    BatchId from = entries.get(0).batch();
    BatchId to = entries.get(entries.size() - 1).batch();
    Records.in(blob)
        .putOrGet(
            CheckpointKeys.history(head.timeline(), from, to),
            StoredJson.write(KIND, new Entries(entries)));
    return Optional.of(to);
  }

  /** All entries, those in blobs and those in the head, in order, each batch once. */
  public List<HistoryEntry> read(Head head) {
    Map<Timeline, Map<BatchId, HistoryEntry>> all = new TreeMap<>();
    String after = "";
    while (true) {
      List<String> page = blob.list(CheckpointKeys.HISTORY + "/", after, PAGE);
      for (String key : page) {
        Optional<byte[]> bytes = blob.get(key);
        if (bytes.isPresent()) {
          StoredJson.read(KIND, bytes.get(), Entries.class, key)
              .entries()
              .forEach(e -> add(all, e));
        }
      }
      if (page.size() < PAGE) {
        break;
      }
      after = page.get(page.size() - 1);
    }
    head.recent().forEach(e -> add(all, e));
    return all.values().stream().map(Map::values).flatMap(Collection::stream).toList();
  }

  private static void add(Map<Timeline, Map<BatchId, HistoryEntry>> all, HistoryEntry entry) {
    all.computeIfAbsent(entry.timeline(), t -> new TreeMap<>()).put(entry.batch(), entry);
  }
}

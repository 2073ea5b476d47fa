package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.Timeline;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private final MemoryBlob blob = new MemoryBlob();
  private final History history = new History(blob);

  @Test
  void aFewEntriesStayInTheHead() {
    assertThat(history.flushIfDue(head(0, 31))).isEmpty();
    assertThat(blob.list("", "", 10)).isEmpty();
  }

  @Test
  void enoughEntriesBecomeOneBlob() {
    Head head = head(0, 32);

    assertThat(history.flushIfDue(head)).contains(new BatchId(31));

    assertThat(blob.list("", "", 10)).containsExactly("history/0/0000000000-0000000031.json");
    assertThat(head.withoutHistory(new BatchId(31)).recent()).isEmpty();
  }

  @Test
  void largeEntriesBecomeABlobEarlier() {
    HistoryEntry large =
        new HistoryEntry(Timeline.FIRST, new BatchId(7), Json.tree("x".repeat(16_000)));
    Head head = Heads.committed(7, Map.of());
    assertThat(history.flushIfDue(Heads.head(head.committed(), Optional.empty(), List.of(large))))
        .contains(new BatchId(7));
  }

  @Test
  void flushingTheSameHeadAgainChangesNothing() {
    history.flushIfDue(head(0, 32));
    assertThat(history.flushIfDue(head(0, 32))).contains(new BatchId(31));
    assertThat(blob.list("", "", 10)).hasSize(1);
  }

  @Test
  void readersSeeEachBatchOnceAndInOrder() {
    Head before = head(0, 32);
    history.flushIfDue(before);
    history.flushIfDue(head(32, 32));

    List<HistoryEntry> all = history.read(head(60, 20));

    assertThat(all)
        .extracting(e -> e.batch().value())
        .containsExactlyElementsOf(LongStream.range(0, 80).boxed().toList());
  }

  private static Head head(long from, int count) {
    Head head = Heads.committed(from + count, Map.of());
    List<HistoryEntry> entries =
        LongStream.range(from, from + count)
            .mapToObj(
                batch ->
                    new HistoryEntry(
                        Timeline.FIRST, new BatchId(batch), Heads.json("{\"b\":" + batch + "}")))
            .toList();
    return Heads.head(head.committed(), Optional.empty(), entries);
  }
}

package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Items;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryItems;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ItemSweepTest {
  private static final long SWEEPING = 31;

  private final MemoryItems items = new MemoryItems();
  private final MemoryBlob blob = new MemoryBlob();
  private final ItemValues values = new ItemValues(blob, ItemSettings.STANDARD.valueBytesMax());
  private final ItemSweep sweep = new ItemSweep(items, blob);

  private static Items.Key key(int group, String sort) {
    return new Items.Key("q/0/1/" + group, sort);
  }

  /** Stores a large value as an attempt does before it writes the item. */
  private String stored(Items.Key key, long batch, String attempt) {
    TaskId task = new TaskId(Timeline.FIRST, new BatchId(batch), 1, 0);
    return values.stored("x".repeat(200_000), key, task, new AttemptId(attempt));
  }

  private void put(Items.Key key, long batch, String value, Optional<Items.Version> before) {
    items.putIfOlder(
        List.of(new Items.Item(key, new Items.Version(batch, Optional.of(value)), before)));
  }

  private List<String> blobs() {
    return blob.list("items/", "", 10_000);
  }

  @Test
  void whatAnAttemptLeftThatDiedIsRemovedAndWhatAnItemNamesStays() {
    Items.Key key = key(3, "abc");
    String before = stored(key, 2, "first-try");
    String now = stored(key, 5, "winner");
    stored(key, 5, "died-before-the-item");
    stored(key(3, "never"), 7, "died");
    put(key, 5, now, Optional.of(new Items.Version(2, Optional.of(before))));

    sweep.run(List.of("q/0/1/"), SWEEPING);

    assertThat(blobs())
        .containsExactly(
            "items/q/0/1/3/0/0000000002/abc-first-try.json",
            "items/q/0/1/3/0/0000000005/abc-winner.json");
  }

  @Test
  void whatATaskHadReplacedThatDiedBeforeItRemovedItIsRemoved() {
    Items.Key key = key(0, "abc");
    stored(key, 1, "replaced-twice");
    put(key, 20, "[\"small\"]", Optional.of(new Items.Version(9, Optional.of("[\"small\"]"))));

    sweep.run(List.of("q/0/1/0/"), SWEEPING);

    assertThat(blobs()).isEmpty();
  }

  @Test
  void blobsOfTheBatchAtWorkAndOfOtherPartitionsStay() {
    stored(key(0, "abc"), SWEEPING, "at-work");
    stored(key(1, "abc"), 3, "of-another-shard");
    stored(key(10, "abc"), 3, "of-a-group-whose-number-starts-alike");

    sweep.run(List.of("q/0/1/0/", "q/0/1/1/"), SWEEPING);

    assertThat(blobs())
        .containsExactly(
            "items/q/0/1/0/0/0000000031/abc-at-work.json",
            "items/q/0/1/10/0/0000000003/abc-of-a-group-whose-number-starts-alike.json");
  }

  @Test
  void listingsOfManyPagesAreSwept() {
    for (int i = 0; i < 2_500; i++) {
      blob.putIfAbsent("items/q/0/1/0/0/0000000003/k" + i + "-a.json", new byte[] {1});
    }
    sweep.run(List.of("q/0/1/"), SWEEPING);
    assertThat(blobs()).isEmpty();
  }

  @Test
  void everyThirtySecondBatchSweeps() {
    assertThat(ItemSettings.STANDARD.sweeps(0)).isFalse();
    assertThat(ItemSettings.STANDARD.sweeps(31)).isTrue();
    assertThat(ItemSettings.STANDARD.sweeps(63)).isTrue();
  }
}

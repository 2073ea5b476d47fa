package io.tidemill.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every form of {@link Items} must do, with patience, so that it also holds with faults. */
public abstract class ItemsContract {
  /** Another handle, as of another process, on the items of this test. */
  protected abstract Items open();

  private static Items.Key key(String sort) {
    return new Items.Key("p", sort);
  }

  private static Items.Version version(long batch, String value) {
    return new Items.Version(batch, Optional.of(value));
  }

  private static Items.Item item(String sort, long batch, String value) {
    return new Items.Item(key(sort), version(batch, value), Optional.empty());
  }

  private List<Items.Key> put(Items.Item... items) {
    return Patiently.call(() -> open().putIfOlder(List.of(items)));
  }

  private List<Items.Item> get(Items.Key... keys) {
    return Patiently.call(() -> open().get(List.of(keys)));
  }

  private List<String> upTo(String partition, String sort) {
    return Patiently.call(() -> open().upTo(partition, sort)).stream()
        .map(item -> item.key().sort())
        .toList();
  }

  @Test
  void readsBackBothVersions() {
    Items.Item both =
        new Items.Item(key("a"), version(7, "new ä\uD83C\uDF0A"), Optional.of(version(3, "old")));
    Items.Item removed =
        new Items.Item(
            key("b"), new Items.Version(7, Optional.empty()), Optional.of(version(3, "old")));
    assertThat(put(both, removed)).isEmpty();
    assertThat(get(key("a"), key("b"), key("missing"))).containsExactlyInAnyOrder(both, removed);
    assertThat(both.asBefore(8)).contains(both.now());
    assertThat(both.asBefore(7)).isEqualTo(both.before());
    assertThat(both.asBefore(3)).isEmpty();
  }

  @Test
  void anItemOfTheSameBatchOrALaterOneStays() {
    assertThat(put(item("a", 5, "first"))).isEmpty();
    assertThat(put(item("a", 5, "second"))).isEmpty();
    assertThat(put(item("a", 4, "stale"))).containsExactly(key("a"));
    assertThat(get(key("a"))).containsExactly(item("a", 5, "first"));
    assertThat(put(item("a", 6, "next"), item("b", 6, "x"))).isEmpty();
    assertThat(get(key("a"))).containsExactly(item("a", 6, "next"));
  }

  @Test
  void aPartitionIsReadInOrderUpToAText() {
    List<Items.Item> items = new ArrayList<>();
    for (String sort : List.of("b", "a", "c", "a~", "ab")) {
      items.add(item(sort, 1, sort));
    }
    items.add(new Items.Item(new Items.Key("q", "a"), version(1, "other"), Optional.empty()));
    Patiently.call(() -> open().putIfOlder(items));
    assertThat(upTo("p", "b")).containsExactly("a", "ab", "a~", "b");
    assertThat(upTo("p", "a")).containsExactly("a");
    assertThat(upTo("p", "Z")).isEmpty();
    assertThat(upTo("q", "z")).containsExactly("a");
    assertThat(upTo("none", "z")).isEmpty();
  }

  @Test
  void manyItemsAreWrittenReadAndRemoved() {
    List<Items.Item> items = new ArrayList<>();
    for (int i = 0; i < 230; i++) {
      items.add(item(String.format("%04d", i), 1, "x".repeat(1 + 20_000 * (i % 10))));
    }
    List<Items.Key> keys = items.stream().map(Items.Item::key).toList();
    assertThat(Patiently.call(() -> open().putIfOlder(items))).isEmpty();
    assertThat(Patiently.call(() -> open().get(keys))).containsExactlyInAnyOrderElementsOf(items);
    assertThat(upTo("p", "9")).hasSize(230);
    Patiently.run(() -> open().delete(keys.subList(0, 200)));
    Patiently.run(() -> open().delete(keys.subList(190, 210)));
    assertThat(upTo("p", "9"))
        .isEqualTo(keys.subList(210, 230).stream().map(Items.Key::sort).toList());
  }

  @Test
  void theLargestValueFits() {
    String large = "x".repeat(Items.VALUE_BYTES_MAX - 10);
    Items.Item item =
        new Items.Item(key("a"), version(2, large), Optional.of(version(1, "y".repeat(10))));
    put(item);
    assertThat(get(key("a"))).containsExactly(item);
  }

  @Test
  void ofRacingBatchesTheLatestStays() throws Exception {
    try (Racers racers = new Racers()) {
      for (int round = 0; round < 5; round++) {
        String sort = "race-" + round;
        racers.race(i -> put(item(sort, i, "batch-" + i)));
        long last = Racers.COUNT - 1;
        assertThat(get(key(sort))).containsExactly(item(sort, last, "batch-" + last));
      }
    }
  }
}

package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.Items;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryItems;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ItemTableTest {
  private static final StateLayout PLAIN =
      new StateLayout(Schema.of("k", "VARCHAR", "n", "BIGINT"), List.of("k"), Optional.empty());
  private static final StateLayout WINDOWS =
      new StateLayout(
          Schema.of("k", "VARCHAR", "t", "TIMESTAMP", "n", "BIGINT"),
          List.of("k", "t"),
          Optional.of("t"));

  @TempDir private Path directory;

  private final MemoryItems items = new MemoryItems();
  private final MemoryBlob blob = new MemoryBlob();
  private Instance instance;
  private ItemState state;
  private StateVersion version = StateVersion.EMPTY;
  private int attempts;

  /** Starts a function instance that knows nothing, over a database of its own. */
  private Instance instance() {
    if (instance == null) {
      instance = new Instance(blob, directory, StateSettings.DEFAULT);
      state = new ItemState(items, blob, instance.connection());
    }
    return instance;
  }

  @AfterEach
  void close() {
    if (instance != null) {
      state.close();
      instance.close();
    }
    blob.close();
  }

  private SavedState open(StateLayout layout, long batch) {
    instance();
    return state.open(Instance.place(version, Buckets.ALL, batch), layout);
  }

  private StateChange save(SavedState table, long batch) {
    return table.save(Instance.task(batch), new AttemptId("attempt-" + attempts++));
  }

  private void commit(SavedState table, long batch, Watermark evictedTo) {
    version = version.apply(List.of(save(table, batch)), evictedTo, batch);
  }

  private static String values(String columns, String... rows) {
    return "SELECT * FROM (VALUES " + String.join(", ", rows) + ") v(" + columns + ")";
  }

  /** A batch that sets rows of the plain layout. */
  private SavedState set(long batch, String... rows) {
    SavedState table = open(PLAIN, batch);
    String given = values("k, n", rows);
    table.load("SELECT k FROM (" + given + ")", false, Watermark.NONE);
    apply(table, given);
    return table;
  }

  private void apply(SavedState table, String select) {
    instance.run(
        "CREATE OR REPLACE TABLE changes AS SELECT "
            + ObjectState.bucketExpression(
                select.contains(", t,") ? List.of("k", "t") : List.of("k"))
            + " AS _bucket, *, true AS _live FROM ("
            + select
            + ")");
    table.apply("changes");
  }

  private List<String> loaded(StateLayout layout, long batch, String keys, Watermark eviction) {
    SavedState table = open(layout, batch);
    table.load(keys, layout.equals(WINDOWS), eviction);
    assertThat(table.rows()).isEqualTo(instance.rows("FROM " + table.table()).size());
    return instance.rows("SELECT * EXCLUDE (_bucket) FROM " + table.table() + " ORDER BY ALL");
  }

  private List<String> plain(long batch, String... keys) {
    return loaded(PLAIN, batch, values("k", keys), Watermark.NONE);
  }

  @Test
  void onlyTheRowsAskedForAreLoaded() {
    commit(set(0, "('a', 1)", "('b', 2)", "(NULL, 3)"), 0, Watermark.NONE);
    assertThat(version.rows()).isEqualTo(3);
    assertThat(plain(1, "('a')", "('missing')")).containsExactly("a|1");
    assertThat(plain(1, "('b')", "(NULL)")).containsExactly("b|2", "null|3");
  }

  @Test
  void aBatchIsReplayedFromTheStateBeforeItAlthoughHalfIsWritten() {
    commit(set(0, "('a', 1)", "('b', 2)"), 0, Watermark.NONE);
    save(set(1, "('a', 10)"), 1); // Dies here, with b still to be written.
    assertThat(plain(1, "('a')", "('b')", "('c')")).containsExactly("a|1", "b|2");
    commit(set(1, "('a', 10)", "('b', 20)", "('c', 30)"), 1, Watermark.NONE);
    assertThat(version.rows()).isEqualTo(3);
    assertThat(plain(2, "('a')", "('b')", "('c')")).containsExactly("a|10", "b|20", "c|30");
    assertThat(plain(1, "('a')", "('b')", "('c')")).containsExactly("a|1", "b|2");
  }

  @Test
  void aTaskOfABatchLongCommittedIsFencedAndChangesNothing() {
    commit(set(0, "('a', 1)"), 0, Watermark.NONE);
    StateVersion before = version;
    SavedState zombie = set(1, "('a', 99)", "('z', 1)");
    commit(set(1, "('a', 10)"), 1, Watermark.NONE);
    commit(set(2, "('a', 20)"), 2, Watermark.NONE);

    assertThatThrownBy(() -> save(zombie, 1)).satisfies(ItemTableTest::isFenced);
    StateVersion now = version;
    version = before;
    assertThatThrownBy(() -> plain(1, "('a')")).satisfies(ItemTableTest::isFenced);
    version = now;
    assertThat(plain(3, "('a')")).containsExactly("a|20");
  }

  private static void isFenced(Throwable error) {
    assertThat(((TidemillException) error).code()).isEqualTo(ErrorCode.FENCED);
  }

  private static Watermark at(int second) {
    return Watermark.ofMillis(second * 1000L);
  }

  private static String window(String key, int second, int n) {
    return String.format("('%s', TIMESTAMP '1970-01-01 00:00:%02d', %d)", key, second, n);
  }

  private SavedState setWindows(long batch, Watermark eviction, String... rows) {
    SavedState table = open(WINDOWS, batch);
    String given =
        rows.length == 0
            ? values("k, t, n", window("x", 0, 0)) + " WHERE false"
            : values("k, t, n", rows);
    table.load("SELECT k, t FROM (" + given + ")", true, eviction);
    apply(table, given);
    return table;
  }

  @Test
  void rowsToBeEvictedAreFoundByTimeAndTheirItemsGoWithTheNextEviction() {
    commit(
        setWindows(0, Watermark.NONE, window("a", 10, 1), window("b", 20, 2), window("c", 30, 3)),
        0,
        Watermark.NONE);

    SavedState table = setWindows(1, at(20), window("c", 30, 4), window("d", 15, 5));
    assertThat(instance.rows("SELECT k FROM " + table.table() + " ORDER BY k"))
        .containsExactly("a", "b", "c", "d");
    assertThat(table.evict(at(20))).isEqualTo(3);
    commit(table, 1, at(20));
    assertThat(version.rows()).isEqualTo(1);
    assertThat(stored()).isEqualTo(3);

    // The batch that evicted can still be replayed, others no longer see the rows.
    String all = values("k, t", window("a", 10, 1).replace(", 1)", ")"));
    assertThat(loaded(WINDOWS, 2, all, Watermark.NONE)).isEmpty();

    SavedState next = setWindows(2, at(25));
    assertThat(next.rows()).isZero();
    commit(next, 2, at(25));
    assertThat(stored()).isEqualTo(1);

    SavedState last = setWindows(3, at(30));
    assertThat(instance.rows("SELECT k, n FROM " + last.table())).containsExactly("c|4");
  }

  @Test
  void aDeadItemThatAZombieBroughtBackIsNotRead() {
    commit(setWindows(0, Watermark.NONE, window("a", 10, 1)), 0, Watermark.NONE);
    SavedState evicting = setWindows(1, at(20));
    evicting.evict(at(20));
    Items.Item item = items.upTo("q/0/" + Instance.OPERATOR + "/" + group("a", 10), "~").get(0);
    commit(evicting, 1, at(20));
    commit(setWindows(2, at(25)), 2, at(25));
    assertThat(stored()).isZero();

    String gone = "{\"object\":\"items/gone\",\"bytes\":1,\"crc32c\":2}";
    items.putIfOlder(
        List.of(
            new Items.Item(item.key(), new Items.Version(0, Optional.of(gone)), Optional.empty())));

    String key = values("k, t", window("a", 10, 1).replace(", 1)", ")"));
    assertThat(loaded(WINDOWS, 3, key, Watermark.NONE)).isEmpty();
  }

  @Test
  void aTaskSweepsTheGroupsThatBeginInItsShard() {
    instance();
    for (int group = 0; group < 16; group++) {
      blob.putIfAbsent(orphan(group), new byte[] {1});
    }
    Buckets shard = new Buckets(100, 300);
    SavedState table = state.open(Instance.place(version, shard, 31), PLAIN);
    table.load("SELECT 'a' AS k WHERE false", false, Watermark.NONE);
    save(table, 31);

    assertThat(blob.list("items/", "", 100))
        .hasSize(13)
        .doesNotContain(orphan(2), orphan(3), orphan(4));
  }

  private static String orphan(int group) {
    return "items/q/0/" + Instance.OPERATOR + "/" + group + "/0/0000000003/abc-died.json";
  }

  private int group(String key, int second) {
    String bucket = ObjectState.bucketExpression(List.of("k", "t"));
    return Integer.parseInt(
            instance
                .rows(
                    "SELECT "
                        + bucket
                        + " FROM ("
                        + values("k, t, n", window(key, second, 0))
                        + ")")
                .get(0))
        >> 6;
  }

  private int stored() {
    return IntStream.range(0, 16)
        .map(group -> items.upTo("q/0/" + Instance.OPERATOR + "/" + group, "~").size())
        .sum();
  }

  @Test
  void aValueTooLargeForAnItemIsABlobWhileAVersionNamesIt() {
    StateLayout layout =
        new StateLayout(Schema.of("k", "VARCHAR", "v", "VARCHAR"), List.of("k"), Optional.empty());
    for (long batch = 0; batch < 4; batch++) {
      SavedState table = open(layout, batch);
      table.load("SELECT 'a' AS k", false, Watermark.NONE);
      apply(table, "SELECT 'a' AS k, repeat('" + batch + "\u00e4', 200000) AS v");
      commit(table, batch, Watermark.NONE);
    }
    SavedState table = open(layout, 4);
    table.load("SELECT 'a' AS k", false, Watermark.NONE);
    assertThat(instance.rows("SELECT length(v), left(v, 2) FROM " + table.table()))
        .containsExactly("400000|3\u00e4");
    assertThat(blob.list("items/", "", 10)).hasSize(2);
    blob.list("items/", "", 10).forEach(blob::delete);
    SavedState damaged = open(layout, 4);
    assertThatThrownBy(() -> damaged.load("SELECT 'a' AS k", false, Watermark.NONE))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_CORRUPT));
  }

  @Test
  void valuesOfAllKindsComeBackTheSame() {
    List<String> types =
        List.of(
            "DOUBLE",
            "DECIMAL(38,2)",
            "BLOB",
            "TIMESTAMP",
            "DATE",
            "VARCHAR[]",
            "STRUCT(a BIGINT, b VARCHAR)",
            "MAP(VARCHAR, DOUBLE)",
            "BOOLEAN",
            "UUID");
    List<String> values =
        List.of(
            "0.1 + 0.2",
            "12345678901234567890.12",
            "'\\x00\\xFF''a'::BLOB",
            "TIMESTAMP '2026-03-01 00:00:00.123456'",
            "DATE '2026-03-01'",
            "['a, b', 'c''\"', NULL, '', ' x ', 'NULL', '[']",
            "{'a': 9007199254740993, 'b': 'x, {y: ''z''}'}",
            "MAP {'k=1, ': 'nan'::DOUBLE}",
            "true",
            "'5b0c9e70-1c52-4c5f-9f0e-6d8f7f3a2b1c'::UUID");
    String[] columns = new String[2 + 2 * types.size()];
    columns[0] = "k";
    columns[1] = "VARCHAR";
    for (int i = 0; i < types.size(); i++) {
      columns[2 + 2 * i] = "c" + i;
      columns[3 + 2 * i] = types.get(i);
    }
    StateLayout layout = new StateLayout(Schema.of(columns), List.of("k"), Optional.empty());
    SavedState table = open(layout, 0);
    table.load("SELECT 'a' AS k", false, Watermark.NONE);
    String row =
        IntStream.range(0, types.size())
            .mapToObj(i -> "CAST(" + values.get(i) + " AS " + types.get(i) + ") AS c" + i)
            .collect(Collectors.joining(", ", "SELECT 'a' AS k, ", ""));
    apply(table, row);
    List<String> before = instance.rows("FROM " + table.table());
    commit(table, 0, Watermark.NONE);
    SavedState again = open(layout, 1);
    again.load("SELECT 'a' AS k", false, Watermark.NONE);
    assertThat(instance.rows("FROM " + again.table())).isEqualTo(before);
  }

  @Test
  void stateInFilesAndStateOfAnotherLayoutAreRefused() {
    commit(set(0, "('a', 1)"), 0, Watermark.NONE);
    SavedState other =
        open(
            new StateLayout(
                Schema.of("k", "VARCHAR", "n", "INTEGER"), List.of("k"), Optional.empty()),
            1);
    assertThatThrownBy(() -> other.load("SELECT 'a' AS k", false, Watermark.NONE))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_LAYOUT_CHANGED));
    SavedState files = instance.load(PLAIN, StateVersion.EMPTY, Buckets.ALL);
    instance.apply(
        files, "SELECT CAST(0 AS USMALLINT) AS _bucket, 'a' AS k, 1 AS n, true AS _live");
    version = StateVersion.EMPTY.apply(List.of(Instance.save(files, 0)), Watermark.NONE, 0);
    assertThatThrownBy(() -> open(PLAIN, 1))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_LAYOUT_CHANGED));
  }

  @Test
  void itemsThatAreGoneAreNoticed() {
    commit(set(0, "('a', 1)"), 0, Watermark.NONE);
    ItemState empty = new ItemState(new MemoryItems(), blob, instance.connection());
    SavedState table = empty.open(Instance.place(version, Buckets.ALL, 1), PLAIN);
    assertThatThrownBy(() -> table.load("SELECT 'a' AS k", false, Watermark.NONE))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STATE_CORRUPT));
  }
}

package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.FaultyBlob;
import io.tidemill.storage.memory.MemoryBlob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateTableTest {
  private static final StateLayout LAYOUT =
      new StateLayout(
          Schema.of("k", "VARCHAR", "expiry", "TIMESTAMP", "v", "BIGINT"),
          List.of("k"),
          Optional.of("expiry"));

  @TempDir Path scratch;
  private final MemoryBlob memory = new MemoryBlob();
  private final List<String> reads = new ArrayList<>();
  private FaultSource faults = (call, name) -> Fault.NONE;
  private final FaultyBlob checkpoint =
      new FaultyBlob(
          memory,
          (call, name) -> {
            if (call == FaultSource.Call.READ) {
              reads.add(name);
            }
            return faults.next(call, name);
          });
  private Instance instance;
  private StateVersion version = StateVersion.EMPTY;
  private long batch;

  @BeforeEach
  void start() {
    instance = new Instance(checkpoint, scratch, StateSettings.DEFAULT);
  }

  @AfterEach
  void stop() {
    instance.close();
    memory.close();
  }

  private SavedState load() {
    return load(instance);
  }

  private SavedState load(Instance on) {
    return on.load(LAYOUT, version, Buckets.ALL);
  }

  private static String row(String key, String expiry, long value) {
    return change(key, expiry, value, true);
  }

  private static String gone(String key) {
    return change(key, "NULL", 0, false);
  }

  private static String change(String key, String expiry, long value, boolean live) {
    return String.format(
        "SELECT %s AS _bucket, * FROM (SELECT %s::VARCHAR AS k, %s::TIMESTAMP AS expiry,"
            + " %d::BIGINT AS v, %s AS _live)",
        ObjectState.bucketExpression(List.of("k")), key, expiry, value, live);
  }

  private void apply(SavedState table, String... rows) {
    instance.apply(table, String.join(" UNION ALL ", rows));
  }

  private StateChange save(SavedState table) {
    return Instance.save(table, ++batch);
  }

  private void commit(StateChange change, long evictedToSeconds) {
    Watermark evictedTo =
        evictedToSeconds == 0 ? Watermark.NONE : Watermark.ofMillis(evictedToSeconds * 1000);
    version = version.apply(List.of(change), evictedTo, batch);
  }

  private void write(String... rows) {
    SavedState table = load();
    apply(table, rows);
    commit(save(table), 0);
  }

  private static String seconds(long seconds) {
    return "make_timestamp(" + seconds * 1_000_000 + ")";
  }

  private static List<String> rows(Instance on, SavedState table) {
    return on.rows("SELECT k, v FROM " + table.table() + " ORDER BY k NULLS LAST, v");
  }

  private List<String> cold() {
    try (Instance other =
        new Instance(checkpoint, scratch.resolve("cold"), StateSettings.DEFAULT)) {
      return rows(other, load(other));
    }
  }

  @Test
  void changesAreInTheTableAtOnceAndInTheNextVersion() {
    SavedState table = load();
    apply(table, row("'a'", "NULL", 1), row("'b'", "NULL", 2));
    apply(table, row("'a'", "NULL", 3), row("NULL", "NULL", 4));
    apply(table, gone("'b'"), row("'c'", "NULL", 5));
    assertThat(rows(instance, table)).containsExactly("a|3", "c|5", "null|4");
    assertThat(table.rows()).isEqualTo(3);

    StateChange change = save(table);
    assertThat(change.rows()).isEqualTo(3);
    commit(change, 0);
    assertThat(cold()).containsExactly("a|3", "c|5", "null|4");
  }

  @Test
  void deltaHoldsOnlyWhatTheBatchChanged() {
    write(row("'a'", "NULL", 1), row("'b'", "NULL", 2), row("'c'", "NULL", 3));
    SavedState table = load();
    apply(table, row("'a'", "NULL", 10));
    apply(table, gone("'b'"));
    StateChange change = save(table);
    assertThat(change.rebased()).isFalse();
    assertThat(change.added()).hasSize(1);
    StateFile delta = change.added().get(0);
    assertThat(delta.rows()).isEqualTo(2);
    assertThat(delta.base()).isFalse();
    assertThat(delta.key()).matches("state/3/0/0000000002-0-1024-attempt-\\d+\\.parquet");
    commit(change, 0);
    assertThat(cold()).containsExactly("a|10", "c|3");
  }

  @Test
  void nothingIsWrittenIfNothingChanged() {
    write(row("'a'", "NULL", 1));
    int files = memory.list("", "", 100).size();
    StateChange change = save(load());
    assertThat(change.added()).isEmpty();
    assertThat(change.rebased()).isFalse();
    assertThat(change.rows()).isEqualTo(1);
    assertThat(memory.list("", "", 100)).hasSize(files);
  }

  @Test
  void rowsAtOrBeforeTheWatermarkAreEvictedWithoutAFile() {
    write(row("'a'", seconds(10), 1), row("'b'", seconds(11), 2), row("'c'", "NULL", 3));
    SavedState table = load();
    assertThat(table.evict(Watermark.NONE)).isZero();
    assertThat(table.evict(Watermark.ofMillis(9_999))).isZero();
    assertThat(table.evict(Watermark.ofMillis(10_000))).isEqualTo(1);
    assertThat(rows(instance, table)).containsExactly("b|2", "c|3");
    StateChange change = save(table);
    assertThat(change.added()).isEmpty();
    commit(change, 10);
    assertThat(cold()).containsExactly("b|2", "c|3");
    assertThat(rows(instance, load())).containsExactly("b|2", "c|3");
  }

  @Test
  void evictionToTheEndOfTimeRemovesAllButNulls() {
    write(row("'a'", "'infinity'", 1), row("'b'", "'9999-01-01'", 2), row("'c'", "NULL", 3));
    SavedState table = load();
    assertThat(table.evict(Watermark.ofMillis(Long.MAX_VALUE))).isEqualTo(2);
    assertThat(rows(instance, table)).containsExactly("c|3");
  }

  @Test
  void tableKnowsWhichWatermarksEvictNothing() {
    write(row("'a'", seconds(100), 1), row("'b'", "NULL", 2));
    SavedState table = load();
    assertThat(table.mayEvict(Watermark.ofMillis(99_999))).isFalse();
    assertThat(table.mayEvict(Watermark.ofMillis(100_000))).isTrue();
    apply(table, row("'c'", seconds(50), 3));
    assertThat(table.mayEvict(Watermark.ofMillis(50_000))).isTrue();
    assertThat(table.evict(Watermark.ofMillis(100_000))).isEqualTo(2);
    assertThat(table.mayEvict(Watermark.ofMillis(9_999_999))).isFalse();
  }

  @Test
  void rowEvictedInTheBatchThatChangedItDoesNotUncoverAnOlderOne() {
    write(row("'a'", seconds(100), 1), row("'b'", seconds(100), 2));
    SavedState table = load();
    apply(table, row("'a'", seconds(30), 3));
    table.evict(Watermark.ofMillis(35_000));
    commit(save(table), 35);
    assertThat(cold()).containsExactly("b|2");
  }

  @Test
  void rowThatComesAfterItsEvictionIsNotKept() {
    write(row("'a'", seconds(100), 1));
    SavedState table = load();
    table.evict(Watermark.ofMillis(50_000));
    apply(table, row("'late'", seconds(50), 2), row("'b'", seconds(51), 3));
    assertThat(rows(instance, table)).containsExactly("a|1", "b|3");
    commit(save(table), 50);
    assertThat(cold()).containsExactly("a|1", "b|3");
  }

  @Test
  void shardThatBecomesEmptyDropsItsFiles() {
    write(row("'a'", seconds(10), 1));
    SavedState table = load();
    table.evict(Watermark.ofMillis(10_000));
    StateChange change = save(table);
    assertThat(change.rebased()).isTrue();
    assertThat(change.added()).isEmpty();
    commit(change, 10);
    assertThat(version.files(Buckets.ALL)).isEmpty();
    assertThat(version.obsolete()).hasSize(1);
    write(row("'a'", seconds(20), 2));
    assertThat(cold()).containsExactly("a|2");
  }

  @Test
  void warmTableReadsNoFile() {
    write(row("'a'", "NULL", 1));
    write(row("'b'", "NULL", 2));
    reads.clear();
    assertThat(rows(instance, load())).containsExactly("a|1", "b|2");
    assertThat(reads).isEmpty();
  }

  @Test
  void tableALittleBehindReadsOnlyTheFilesItLacks() {
    write(row("'a'", seconds(10), 1), row("'b'", "NULL", 1));
    try (Instance other = new Instance(checkpoint, scratch.resolve("o"), StateSettings.DEFAULT)) {
      load(other);
      write(row("'b'", "NULL", 2), row("'c'", seconds(20), 2));
      write(gone("'a'"), row("'b'", "NULL", 3));
      reads.clear();
      assertThat(rows(other, load(other))).containsExactly("b|3", "c|2");
      assertThat(reads).hasSize(2);
    }
  }

  @Test
  void changesOfABatchThatFailedAreForgotten() {
    write(row("'a'", "NULL", 1));
    apply(load(), row("'a'", "NULL", 99), row("'b'", "NULL", 99));
    assertThat(rows(instance, load())).containsExactly("a|1");
  }

  @Test
  void savedChangesOfAnAttemptThatLostAreForgotten() {
    write(row("'a'", "NULL", 1));
    SavedState table = load();
    apply(table, row("'a'", "NULL", 99));
    save(table);
    assertThat(rows(instance, load())).containsExactly("a|1");

    apply(load(), row("'a'", "NULL", 2));
    SavedState again = load();
    apply(again, row("'b'", "NULL", 3));
    commit(save(again), 0);
    assertThat(rows(instance, load())).containsExactly("a|1", "b|3");
    assertThat(cold()).containsExactly("a|1", "b|3");
  }

  @Test
  void evictionOfABatchThatFailedIsForgotten() {
    write(row("'a'", seconds(10), 1));
    SavedState table = load();
    table.evict(Watermark.ofMillis(10_000));
    save(table);
    assertThat(rows(instance, load())).containsExactly("a|1");
  }

  @Test
  void tableIsReadAnewAfterARewindToAnOlderVersion() {
    write(row("'a'", "NULL", 1));
    StateVersion older = version;
    write(row("'a'", "NULL", 2));
    version = older;
    assertThat(rows(instance, load())).containsExactly("a|1");
  }

  @Test
  void otherShardIsReadAnew() {
    write(row("'a'", "NULL", 1), row("'b'", "NULL", 2), row("'c'", "NULL", 3));
    List<String> parts = new ArrayList<>();
    for (Buckets shard : Buckets.shards(3)) {
      SavedState table = instance.load(LAYOUT, version, shard);
      parts.addAll(rows(instance, table));
      assertThat(
              instance.rows(
                  "SELECT count(*) FROM "
                      + table.table()
                      + " WHERE _bucket NOT BETWEEN "
                      + shard.from()
                      + " AND "
                      + (shard.to() - 1)))
          .containsExactly("0");
    }
    assertThat(parts).containsExactlyInAnyOrder("a|1", "b|2", "c|3");
  }

  @Test
  void changeOutsideTheShardIsRefused() {
    Buckets shard = new Buckets(0, 10);
    SavedState table = instance.load(LAYOUT, version, shard);
    instance.run("CREATE TABLE outside AS " + row("'a'", "NULL", 1));
    instance.run("UPDATE outside SET _bucket = 10");
    assertThatThrownBy(() -> table.apply("outside"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL));
    instance.run("UPDATE outside SET _bucket = 9");
    table.apply("outside");
    assertThat(table.rows()).isEqualTo(1);
  }

  @Test
  void stateWithoutKeysIsOneRowOfBucketZero() {
    StateLayout single = new StateLayout(Schema.of("v", "BIGINT"), List.of(), Optional.empty());
    for (long value = 1; value <= 3; value++) {
      SavedState table = instance.load(single, version, Buckets.ALL);
      String bucket = ObjectState.bucketExpression(List.of());
      apply(table, "SELECT " + bucket + " AS _bucket, " + value + "::BIGINT AS v, true AS _live");
      assertThat(table.evict(Watermark.ofMillis(Long.MAX_VALUE))).isZero();
      commit(save(table), 0);
    }
    try (Instance other = new Instance(checkpoint, scratch.resolve("o"), StateSettings.DEFAULT)) {
      SavedState table = other.load(single, version, Buckets.ALL);
      assertThat(other.rows("SELECT _bucket, v FROM " + table.table())).containsExactly("0|3");
    }
  }

  @Test
  void lostReplyOfASaveIsSettledAndALostRequestRepeated() {
    for (Fault fault : List.of(Fault.LOST_REPLY, Fault.LOST_REQUEST, Fault.RETRIED)) {
      SavedState table = load();
      apply(table, row("'" + fault + "'", "NULL", 1));
      boolean[] once = {true};
      faults =
          (call, name) -> {
            boolean hit = once[0] && call == FaultSource.Call.CREATE;
            once[0] = once[0] && !hit;
            return hit ? fault : Fault.NONE;
          };
      commit(save(table), 0);
      assertThat(once[0]).isFalse();
    }
    assertThat(cold()).containsExactly("LOST_REPLY|1", "LOST_REQUEST|1", "RETRIED|1");
  }

  @Test
  void failedSaveLeavesNothingBehindInScratchAndTheNextLoadIsClean() {
    write(row("'a'", "NULL", 1));
    SavedState table = load();
    apply(table, row("'a'", "NULL", 2));
    faults = (call, name) -> call == FaultSource.Call.CREATE ? Fault.REFUSED : Fault.NONE;
    assertThatThrownBy(() -> save(table)).isInstanceOf(TidemillException.class);
    assertThat(scratch).isEmptyDirectory();
    faults = (call, name) -> Fault.NONE;
    assertThat(rows(instance, load())).containsExactly("a|1");
  }

  @Test
  void filesThatPileUpAreReplacedByABase() {
    StateSettings settings = new StateSettings(3, 3, 1, 1_000_000);
    try (Instance few = new Instance(checkpoint, scratch.resolve("few"), settings)) {
      List<Integer> files = new ArrayList<>();
      for (int i = 1; i <= 7; i++) {
        SavedState table = few.load(LAYOUT, version, Buckets.ALL);
        few.apply(table, row("'key" + i + "'", "NULL", i));
        commit(save(table), 0);
        files.add(version.files(Buckets.ALL).size());
      }
      assertThat(files).containsExactly(1, 2, 3, 1, 2, 3, 1);
    }
    assertThat(cold()).hasSize(7);
  }
}

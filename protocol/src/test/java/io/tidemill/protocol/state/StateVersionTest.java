package io.tidemill.protocol.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.state.StateVersion.ObsoleteFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StateVersionTest {
  private static final Buckets LEFT = new Buckets(0, 512);
  private static final Buckets RIGHT = new Buckets(512, 1024);

  private static StateFile file(String key, Buckets buckets, boolean base, long batch) {
    return new StateFile(key, buckets, base, 10, 100, 7, batch);
  }

  private static StateChange delta(String key, Buckets buckets, long batch) {
    return new StateChange(0, buckets, List.of(file(key, buckets, false, batch)), false, 10);
  }

  private static StateChange base(String key, Buckets buckets, long batch) {
    return new StateChange(0, buckets, List.of(file(key, buckets, true, batch)), true, 10);
  }

  private static StateVersion after(StateVersion version, long batch, StateChange... changes) {
    return version.apply(List.of(changes), Watermark.NONE, batch);
  }

  private static List<String> keys(StateVersion version, Buckets range) {
    return version.files(range).stream().map(StateFile::key).toList();
  }

  @Test
  void deltasOfAShardAreReadInTheOrderOfTheirBatches() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, delta("b", Buckets.ALL, 2));
    assertThat(keys(version, Buckets.ALL)).containsExactly("a", "b");
    assertThat(version.obsolete()).isEmpty();
    assertThat(version.rows()).isEqualTo(10);
    assertThat(version.bytes()).isEqualTo(200);
  }

  @Test
  void baseReplacesAllBeforeItAndMakesThemObsolete() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, base("b", Buckets.ALL, 2));
    assertThat(keys(version, Buckets.ALL)).containsExactly("b");
    assertThat(version.obsolete()).containsExactly(new ObsoleteFile("a", 2));
  }

  @Test
  void changeWithoutFilesKeepsThemAndUpdatesTheRows() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, new StateChange(0, Buckets.ALL, List.of(), false, 4));
    assertThat(keys(version, Buckets.ALL)).containsExactly("a");
    assertThat(version.rows()).isEqualTo(4);
  }

  @Test
  void splitShardsReadTheirPartOfAnOlderFile() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, delta("b", LEFT, 2), delta("c", RIGHT, 2));
    assertThat(keys(version, LEFT)).containsExactly("a", "b");
    assertThat(keys(version, RIGHT)).containsExactly("a", "c");
    assertThat(version.files(RIGHT).get(0).buckets()).isEqualTo(RIGHT);
    assertThat(version.bytes()).isEqualTo(300);
  }

  @Test
  void mergedShardsReadOneFileOnce() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, delta("b", LEFT, 2), delta("c", RIGHT, 2));
    version = after(version, 3, delta("d", Buckets.ALL, 3));
    assertThat(version.segments()).hasSize(1);
    assertThat(keys(version, Buckets.ALL)).containsExactly("a", "b", "c", "d");
    assertThat(version.files(Buckets.ALL).get(0).buckets()).isEqualTo(Buckets.ALL);
  }

  @Test
  void halfThatWasEmptiedStaysEmptyWhenShardsMerge() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, new StateChange(0, LEFT, List.of(), true, 0));
    version = after(version, 3, delta("b", Buckets.ALL, 3));
    assertThat(version.files(Buckets.ALL))
        .containsExactly(file("a", RIGHT, false, 1), file("b", Buckets.ALL, false, 3));
  }

  @Test
  void fileIsObsoleteOnceItsLastPartIsReplaced() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, base("b", LEFT, 2));
    assertThat(version.obsolete()).isEmpty();
    version = after(version, 5, base("c", RIGHT, 5));
    assertThat(version.obsolete()).containsExactly(new ObsoleteFile("a", 5));
    assertThat(version.forget(4).obsolete()).hasSize(1);
    assertThat(version.forget(5).obsolete()).isEmpty();
  }

  @Test
  void smallBatchOfOneShardLeavesTheOthersAlone() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", LEFT, 1), delta("b", RIGHT, 1));
    Buckets middle = new Buckets(500, 520);
    version = after(version, 2, delta("c", middle, 2));
    assertThat(version.segments())
        .extracting(StateSegment::buckets)
        .containsExactly(new Buckets(0, 500), middle, new Buckets(520, 1024));
    assertThat(keys(version, middle)).containsExactly("a", "b", "c");
    assertThat(keys(version, new Buckets(0, 100))).containsExactly("a");
  }

  @Test
  void versionSurvivesJson() {
    StateVersion version = after(StateVersion.EMPTY, 1, delta("a", Buckets.ALL, 1));
    version = after(version, 2, base("b", LEFT, 2)).apply(List.of(), Watermark.ofMillis(5), 3);
    assertThat(Json.read(Json.bytes(version), StateVersion.class)).isEqualTo(version);
  }

  static IntStream seeds() {
    return IntStream.rangeClosed(1, 25);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void everyBucketReadsItsFilesSinceItsBaseWhateverTheShards(int seed) {
    new History(new SplittableRandom(seed)).run();
  }

  /** Random batches, with the files of each bucket kept one by one beside the version. */
  private static final class History {
    private final RandomGenerator random;
    private final Map<Integer, List<String>> filesOfBucket = new HashMap<>();
    private final Map<String, Long> obsolete = new HashMap<>();
    private StateVersion version = StateVersion.EMPTY;

    History(RandomGenerator random) {
      this.random = random;
    }

    void run() {
      for (long batch = 1; batch <= 20; batch++) {
        Set<String> before = filesInUse();
        List<StateChange> changes = new ArrayList<>();
        for (Buckets shard : Buckets.shards(1 + random.nextInt(5))) {
          if (random.nextInt(4) > 0) {
            changes.add(change(shard, batch));
          }
        }
        version = version.apply(changes, Watermark.NONE, batch);
        before.removeAll(filesInUse());
        for (String gone : before) {
          obsolete.put(gone, batch);
        }
        check();
      }
    }

    private StateChange change(Buckets shard, long batch) {
      String key = batch + "-" + shard.from();
      boolean rebased = random.nextInt(4) == 0;
      List<StateFile> added =
          random.nextInt(4) == 0 ? List.of() : List.of(file(key, shard, rebased, batch));
      for (int bucket = shard.from(); bucket < shard.to(); bucket++) {
        List<String> files = filesOfBucket.computeIfAbsent(bucket, b -> new ArrayList<>());
        if (rebased) {
          files.clear();
        }
        added.forEach(f -> files.add(f.key()));
      }
      return new StateChange(0, shard, added, rebased, 1);
    }

    private Set<String> filesInUse() {
      Set<String> keys = new HashSet<>();
      filesOfBucket.values().forEach(keys::addAll);
      return keys;
    }

    private void check() {
      int from = random.nextInt(Buckets.COUNT);
      Buckets range = new Buckets(from, from + 1 + random.nextInt(Buckets.COUNT - from));
      for (Buckets read : List.of(range, Buckets.ALL)) {
        List<StateFile> files = version.files(read);
        assertThat(files).allMatch(f -> read.contains(f.buckets()));
        for (int bucket = read.from(); bucket < read.to(); bucket += 61) {
          Buckets one = new Buckets(bucket, bucket + 1);
          assertThat(files.stream().filter(f -> f.buckets().overlaps(one)).map(StateFile::key))
              .as("bucket %d", bucket)
              .isEqualTo(filesOfBucket.getOrDefault(bucket, List.of()));
        }
      }
      int end = 0;
      for (StateSegment segment : version.segments()) {
        assertThat(segment.buckets().from()).isGreaterThanOrEqualTo(end);
        end = segment.buckets().to();
      }
      Map<String, Long> forgotten = new HashMap<>();
      version.obsolete().forEach(o -> forgotten.put(o.key(), o.sinceBatch()));
      assertThat(forgotten).isEqualTo(obsolete);
      assertThat(version.bytes()).isEqualTo(100L * filesInUse().size());
    }
  }
}

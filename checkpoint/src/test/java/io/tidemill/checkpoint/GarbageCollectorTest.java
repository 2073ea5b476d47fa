package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.memory.MemoryBlob;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GarbageCollectorTest {
  private static final int RETAIN = 10;

  private final MemoryBlob blob = new MemoryBlob();
  private final CountingRegister register = new CountingRegister();
  private final GarbageCollector collector = new GarbageCollector(blob, register);

  @Test
  void objectsOfBatchesBehindTheHorizonGo() {
    for (long batch = 0; batch < 25; batch++) {
      TaskId task = task(batch);
      put(CheckpointKeys.taskRecord(task));
      put(CheckpointKeys.layout(Timeline.FIRST, task.batch(), 1));
      put("sink/revenue/" + task.path() + "-a.parquet");
      put(CheckpointKeys.spilledHead(Timeline.FIRST, batch, new AttemptId("a")));
      put(stateKey(batch, 1, "orphan"));
    }

    collector.collect(Heads.committed(24, Map.of()), RETAIN);

    for (String area : List.of("tasks", "layouts", "sink", "heads", "state")) {
      List<String> left = blob.list(area + "/", "", 100);
      assertThat(left).as(area).hasSize(11);
      assertThat(left.get(0)).as(area).contains("/0/0000000014");
    }
    assertThat(register.pruned).isEqualTo(100);
  }

  @Test
  void shuffleFilesOfCommittedBatchesGo() {
    for (long batch = 0; batch < 3; batch++) {
      put("shuffle/" + task(batch).path() + "-0-a.parquet");
    }

    collector.collect(Heads.committed(2, Map.of()), RETAIN);

    assertThat(blob.list("shuffle/", "", 10))
        .containsExactly("shuffle/0/0000000002/s1/p0-0-a.parquet");
  }

  @Test
  void whatTheHeadNamesStaysHoweverOld() {
    String old = put(stateKey(0, 1, "base"));
    String obsolete = put(stateKey(1, 1, "delta"));
    StateVersion version =
        new StateVersion(
            Heads.state(Heads.file(old, 0)).segments(),
            Watermark.NONE,
            List.of(new StateVersion.ObsoleteFile(obsolete, 995)));

    collector.collect(Heads.committed(1_000, Map.of(1, version)), RETAIN);

    assertThat(blob.list("state/", "", 10)).containsExactly(old, obsolete);
  }

  @Test
  void keysOfAnotherFormAreLeftAlone() {
    put("sink/0/manifest");
    put("sink/0/2024/x");
    put("sources/0/note");

    collector.collect(Heads.committed(1_000, Map.of()), RETAIN);

    assertThat(blob.list("", "", 10)).hasSize(3);
  }

  @Test
  void listingsOfManyPagesAreSwept() {
    for (int part = 0; part < 2_500; part++) {
      put(CheckpointKeys.taskRecord(new TaskId(Timeline.FIRST, BatchId.FIRST, 1, part)));
    }

    collector.collect(Heads.committed(RETAIN + 1, Map.of()), RETAIN);

    assertThat(blob.list("tasks/", "", 10)).isEmpty();
  }

  @Test
  void noFileThatARetainedVersionReadsIsDeleted() {
    for (long seed = 0; seed < 50; seed++) {
      runBatches(seed);
    }
  }

  /** Writes random versions, collecting now and then, and checks all retained ones each time. */
  private void runBatches(long seed) {
    MemoryBlob own = new MemoryBlob();
    GarbageCollector ownCollector = new GarbageCollector(own, register);
    Random random = new Random(seed);
    List<StateVersion> versions = new ArrayList<>();
    StateVersion state = StateVersion.EMPTY;
    for (int batch = 0; batch < 40; batch++) {
      List<StateChange> changes = new ArrayList<>();
      for (Buckets shard : Buckets.shards(1 + random.nextInt(3))) {
        changes.add(change(own, batch, shard, random));
      }
      state = state.apply(changes, Watermark.NONE, batch);
      boolean collect = random.nextInt(4) == 0;
      Map<Integer, StateVersion> all = Map.of(1, state);
      if (collect) {
        all = GarbageCollector.forget(all, new BatchId(batch), RETAIN);
        state = all.get(1);
      }
      versions.add(state);
      if (collect) {
        ownCollector.collect(Heads.committed(batch, all), RETAIN);
      }
      for (int kept = Math.max(0, batch - RETAIN); kept <= batch; kept++) {
        for (String key : keys(versions.get(kept))) {
          assertThat(own.get(key))
              .as("seed %s: version %s at batch %s needs %s", seed, kept, batch, key)
              .isPresent();
        }
      }
    }
    ownCollector.collect(
        Heads.committed(
            1_000, GarbageCollector.forget(Map.of(1, state), new BatchId(1_000), RETAIN)),
        RETAIN);
    assertThat(new HashSet<>(own.list("", "", 10_000)))
        .as("seed %s: what nothing reads is gone", seed)
        .isEqualTo(keys(state));
  }

  private static StateChange change(MemoryBlob own, int batch, Buckets shard, Random random) {
    List<StateFile> added = new ArrayList<>();
    if (random.nextInt(5) > 0) {
      String key = stateKey(batch, shard.from(), "a");
      own.putIfAbsent(key, new byte[] {1});
      added.add(new StateFile(key, shard, false, 1, 1, 1, batch));
    }
    return new StateChange(1, shard, added, !added.isEmpty() && random.nextInt(3) == 0, 1);
  }

  private static Set<String> keys(StateVersion version) {
    Set<String> keys = new HashSet<>();
    version.segments().forEach(s -> s.files().forEach(f -> keys.add(f.key())));
    return keys;
  }

  private String put(String key) {
    assertThat(blob.putIfAbsent(key, new byte[] {1})).isNotNull();
    return key;
  }

  private static String stateKey(long batch, int part, String attempt) {
    TaskId task = new TaskId(Timeline.FIRST, new BatchId(batch), 1, part);
    return "state/1/" + task.path().replace("/s", "-s") + "-" + attempt + ".parquet";
  }

  private static TaskId task(long batch) {
    return new TaskId(Timeline.FIRST, new BatchId(batch), 1, 0);
  }
}

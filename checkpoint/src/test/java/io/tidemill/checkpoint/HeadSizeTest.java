package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.state.StateChange;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each write of the head carries all of it, so it must not grow with the life of a query. */
class HeadSizeTest {
  private static final int RETAINED = 100;

  /** As many files as a shard has at most before it is rewritten. */
  private static final int FILES_MAX = 64;

  private final Random random = new Random(7);

  private StateFile file(Buckets shard, long batch, boolean base) {
    String attempt = new UUID(random.nextLong(), random.nextLong()).toString();
    String key =
        String.format(
            Locale.ROOT,
            "state/1/0/%010d/%d-%d-%s.parquet",
            batch,
            shard.from(),
            shard.to(),
            attempt);
    return new StateFile(key, shard, base, 12_345, 123_456, 1_234_567_890L, batch);
  }

  private StateVersion after(StateVersion before, int shards, long batch) {
    List<StateChange> changes = new ArrayList<>();
    for (Buckets shard : Buckets.shards(shards)) {
      int files =
          before.overlapping(shard).stream().mapToInt(segment -> segment.files().size()).sum();
      boolean rebased = files >= FILES_MAX;
      StateFile added = file(shard, batch, rebased || files == 0);
      changes.add(new StateChange(1, shard, List.of(added), rebased, 10_000));
    }
    StateVersion next = before.apply(changes, Watermark.NONE, batch);
    return GarbageCollector.forget(Map.of(1, next), new BatchId(batch), RETAINED).get(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 30", "4, 120", "16, 480"})
  void headStaysSmallHoweverLongAQueryRuns(int shards, int kilobytesMax) {
    StateVersion state = StateVersion.EMPTY;
    int early = 0;
    int late = 0;
    for (long batch = 0; batch < 10_000; batch++) {
      state = after(state, shards, batch);
      if (batch % 9 == 0) {
        int bytes = StoredJson.write("head", Heads.committed(batch, Map.of(1, state))).length;
        early = batch < 1_000 ? Math.max(early, bytes) : early;
        late = batch >= 9_000 ? Math.max(late, bytes) : late;
      }
    }
    assertThat(late).isLessThanOrEqualTo(early + early / 20).isLessThan(kilobytesMax * 1000);
    assertThat(state.segments()).hasSize(shards);
  }
}

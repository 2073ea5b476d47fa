package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.memory.MemoryBlob;
import io.tidemill.storage.memory.MemoryItems;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State where the locale writes numbers in digits that SQL and names do not have. */
class OtherDigitsTest {
  private static final StateLayout LAYOUT =
      new StateLayout(
          Schema.of("k", "VARCHAR", "t", "TIMESTAMP", "n", "BIGINT"),
          List.of("k", "t"),
          Optional.of("t"));
  private static final Buckets SHARD = new Buckets(0, 512);
  private static final String CHANGES =
      "SELECT 7 AS _bucket, 'a' AS k, TIMESTAMP '1970-01-01 00:00:10' AS t, 1::BIGINT AS n,"
          + " true AS _live";

  @TempDir Path scratch;
  private final Locale before = Locale.getDefault();
  private final MemoryBlob blob = new MemoryBlob();

  @BeforeEach
  void start() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    assertThat(String.format(Locale.getDefault(), "%d", 1)).isNotEqualTo("1");
  }

  @AfterEach
  void stop() {
    Locale.setDefault(before);
    blob.close();
  }

  private static List<String> rows(Instance instance, SavedState table) {
    return instance.rows("SELECT k, epoch(t)::BIGINT, n FROM " + table.table());
  }

  @Test
  void filesHoldAndGiveTheSame() {
    StateVersion version = StateVersion.EMPTY;
    try (Instance writer = new Instance(blob, scratch, StateSettings.DEFAULT)) {
      for (int batch = 1; batch <= 3; batch++) {
        SavedState table = writer.load(LAYOUT, version, SHARD);
        writer.apply(table, CHANGES);
        version = version.apply(List.of(Instance.save(table, batch)), Watermark.NONE, batch);
      }
    }
    Path cold = scratch.resolve("cold");
    try (Instance reader = new Instance(blob, cold, StateSettings.DEFAULT)) {
      SavedState table = reader.load(LAYOUT, version, SHARD);
      assertThat(rows(reader, table)).containsExactly("a|10|1");
      assertThat(table.mayEvict(Watermark.ofMillis(9_999))).isFalse();
      assertThat(table.evict(Watermark.ofMillis(10_000))).isEqualTo(1);
    }
  }

  @Test
  void itemsHoldAndGiveTheSame() {
    MemoryItems items = new MemoryItems();
    StateVersion version = StateVersion.EMPTY;
    try (Instance instance = new Instance(blob, scratch, StateSettings.DEFAULT);
        ItemState state = new ItemState(items, blob, instance.connection())) {
      String keys = "SELECT * FROM (VALUES ('a', TIMESTAMP '1970-01-01 00:00:10')) v(k, t)";
      String bucket = ObjectState.bucketExpression(List.of("k", "t"));
      for (int batch = 1; batch <= 2; batch++) {
        SavedState table = state.open(Instance.place(version, Buckets.ALL, batch), LAYOUT);
        table.load(keys, true, Watermark.NONE);
        assertThat(rows(instance, table)).hasSize(batch - 1);
        instance.apply(
            table, "SELECT * REPLACE (" + bucket + " AS _bucket) FROM (" + CHANGES + ")");
        version =
            version.apply(
                List.of(table.save(Instance.task(batch), new AttemptId("attempt-" + batch))),
                Watermark.NONE,
                batch);
      }
      assertThat(version.rows()).isEqualTo(1);
    }
  }
}

package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.storage.memory.MemoryBlob;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a reader must know to join the table by plain equality and to replace the rows it found. */
class ReplacedRowsTest {
  private static final StateLayout LAYOUT =
      new StateLayout(Schema.of("k", "VARCHAR", "v", "BIGINT"), List.of("k"), Optional.empty());

  @TempDir Path scratch;
  private final MemoryBlob checkpoint = new MemoryBlob();
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
    checkpoint.close();
  }

  private static String rows(String values) {
    return "SELECT "
        + ObjectState.bucketExpression(List.of("k"))
        + " AS _bucket, *, true AS _live FROM (VALUES "
        + values
        + ") AS r(k, v)";
  }

  private void save(SavedState table) {
    version = version.apply(List.of(Instance.save(table, ++batch)), Watermark.NONE, batch);
  }

  private SavedState write(String values) {
    SavedState table = instance.load(LAYOUT, version, Buckets.ALL);
    instance.apply(table, rows(values));
    save(table);
    return instance.load(LAYOUT, version, Buckets.ALL);
  }

  private static List<String> content(Instance of, SavedState table) {
    return of.rows("SELECT k, v FROM " + table.table() + " ORDER BY k NULLS LAST");
  }

  @Test
  void knowsWhetherAKeyMayHoldANull() {
    assertThat(write("('a', 1::BIGINT)").mayHoldNullKeys()).isFalse();
    assertThat(write("('a', 2::BIGINT), ('b', 2)").mayHoldNullKeys()).isFalse();
    assertThat(write("(NULL, 3::BIGINT)").mayHoldNullKeys()).isTrue();
    try (Instance other =
        new Instance(checkpoint, scratch.resolve("cold"), StateSettings.DEFAULT)) {
      assertThat(other.load(LAYOUT, version, Buckets.ALL).mayHoldNullKeys()).isTrue();
    }
  }

  @Test
  void changesThatKnowTheirRowsReplaceThoseAndNoOthers() {
    SavedState table = write("('a', 1::BIGINT), ('b', 2), ('c', 3)");
    instance.run("BEGIN");
    instance.run(
        "CREATE TABLE joined AS SELECT n.*, s.rowid AS _row FROM ("
            + rows("('b', 20::BIGINT), ('d', 40)")
            + ") n LEFT JOIN "
            + table.table()
            + " s ON s.k = n.k");
    table.applyByRow("joined");
    instance.run("COMMIT");

    assertThat(table.rows()).isEqualTo(4);
    assertThat(content(instance, table)).containsExactly("a|1", "b|20", "c|3", "d|40");
    save(table);
    try (Instance other =
        new Instance(checkpoint, scratch.resolve("cold"), StateSettings.DEFAULT)) {
      assertThat(content(other, other.load(LAYOUT, version, Buckets.ALL)))
          .containsExactly("a|1", "b|20", "c|3", "d|40");
    }
  }
}

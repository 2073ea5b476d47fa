package io.tidemill.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.state.StateFile;
import io.tidemill.protocol.state.StateSegment;
import io.tidemill.protocol.state.StateVersion;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.storage.Checksum;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFilesTest {
  private static final StateLayout LAYOUT =
      new StateLayout(Schema.of("k", "VARCHAR", "v", "BIGINT"), List.of("k"), Optional.empty());

  @TempDir Path directory;
  private LocalBlob checkpoint;
  private StateVersion version;
  private StateFile file;

  @BeforeEach
  void writeOneFile() {
    // A name that DuckDB could take for a pattern or a partition.
    Path root = directory.resolve("a[b]*c=d");
    checkpoint = new LocalBlob(root, new CountedIds("id"), InstantSource.system(), Durability.NONE);
    try (Instance instance = instance()) {
      SavedState table = instance.load(LAYOUT, StateVersion.EMPTY, Buckets.ALL);
      String bucket = ObjectState.bucketExpression(List.of("k"));
      instance.apply(
          table,
          "SELECT "
              + bucket
              + " AS _bucket, *, true AS _live FROM (VALUES ('a', 1), ('b', 2)) t(k, v)");
      version = StateVersion.EMPTY.apply(List.of(Instance.save(table, 1)), Watermark.NONE, 1);
    }
    file = version.files(Buckets.ALL).get(0);
  }

  private Instance instance() {
    return new Instance(checkpoint, directory.resolve("scratch[1]"), StateSettings.DEFAULT);
  }

  private Path path() {
    return checkpoint.localFile(file.key()).orElseThrow();
  }

  private TidemillException failure(StateLayout layout, StateVersion of) {
    try (Instance instance = instance()) {
      return catchThrowableOfType(
          TidemillException.class, () -> instance.load(layout, of, Buckets.ALL));
    }
  }

  private void assertCorrupt() {
    TidemillException failure = failure(LAYOUT, version);
    assertThat(failure.code()).isEqualTo(ErrorCode.STATE_CORRUPT);
    assertThat(failure.fields()).containsEntry("key", file.key());
  }

  @Test
  void recordedSizeAndChecksumAreThoseOfTheFile() throws IOException {
    assertThat(file.bytes()).isEqualTo(Files.size(path()));
    assertThat(file.checksum()).isEqualTo(Checksum.of(path()));
    assertThat(file.rows()).isEqualTo(2);
    assertThat(directory.resolve("scratch[1]")).isEmptyDirectory();
  }

  @Test
  void anyParquetReaderCanReadTheState() {
    try (Instance plain = instance()) {
      assertThat(
              plain.rows(
                  "SELECT k, v, _bucket BETWEEN 0 AND 1023 FROM read_parquet('"
                      + path()
                      + "') ORDER BY k"))
          .containsExactly("a|1|true", "b|2|true");
    }
  }

  @Test
  void flippedByteIsFoundWhereverItIs() throws IOException {
    byte[] good = Files.readAllBytes(path());
    for (int at = 0; at < good.length; at += Math.max(1, good.length / 20)) {
      byte[] flipped = good.clone();
      flipped[at] ^= 4;
      Files.write(path(), flipped);
      assertCorrupt();
    }
    Files.write(path(), good);
    assertThat(failure(LAYOUT, version)).isNull();
  }

  @Test
  void truncatedFileIsFound() throws IOException {
    Files.write(path(), List.of());
    assertCorrupt();
  }

  @Test
  void missingFileIsFound() {
    checkpoint.delete(file.key());
    assertCorrupt();
  }

  @Test
  void failedLoadDoesNotSpoilTheNext() throws IOException {
    byte[] good = Files.readAllBytes(path());
    try (Instance instance = instance()) {
      Files.write(path(), new byte[10]);
      assertThatThrownBy(() -> instance.load(LAYOUT, version, Buckets.ALL))
          .isInstanceOf(TidemillException.class);
      Files.write(path(), good);
      assertThat(instance.load(LAYOUT, version, Buckets.ALL).rows()).isEqualTo(2);
    }
  }

  @Test
  void otherColumnsOrKeysAreALayoutChange() {
    List<StateLayout> others =
        List.of(
            new StateLayout(Schema.of("k", "VARCHAR"), List.of("k"), Optional.empty()),
            new StateLayout(
                Schema.of("k", "VARCHAR", "v", "INTEGER"), List.of("k"), Optional.empty()),
            new StateLayout(
                Schema.of("k", "VARCHAR", "w", "BIGINT"), List.of("k"), Optional.empty()),
            new StateLayout(
                Schema.of("k", "VARCHAR", "v", "BIGINT"), List.of("v"), Optional.empty()));
    for (StateLayout other : others) {
      TidemillException failure = failure(other, version);
      assertThat(failure.code()).isEqualTo(ErrorCode.STATE_LAYOUT_CHANGED);
      assertThat(failure.fields()).containsEntry("key", file.key()).containsKey("stored");
    }
  }

  @Test
  void typeUnderAnotherNameIsTheSameLayout() {
    StateLayout same =
        new StateLayout(Schema.of("k", "TEXT", "v", "INT8"), List.of("k"), Optional.empty());
    assertThat(failure(same, version)).isNull();
  }

  @Test
  void otherHashOrLaterFormatIsALayoutChange() throws IOException {
    assertThat(failure(LAYOUT, rewritten("hash", "0")).text()).contains("hashes keys differently");
    TidemillException later = failure(LAYOUT, rewritten("format", "2"));
    assertThat(later.code()).isEqualTo(ErrorCode.STATE_LAYOUT_CHANGED);
    assertThat(later.text()).contains("newer version");
    assertThat(failure(LAYOUT, rewritten("duckdb", "v9.9.9"))).isNull();
  }

  /** The version with the file rewritten, one entry of its metadata changed. */
  private StateVersion rewritten(String entry, String value) throws IOException {
    Path other = directory.resolve(entry + ".parquet");
    try (Instance instance = instance()) {
      String metadata =
          instance
              .rows(
                  "SELECT string_agg('\"' || decode(key) || '\": ''' || CASE WHEN decode(key) ="
                      + " 'tidemill.state."
                      + entry
                      + "' THEN '"
                      + value
                      + "' ELSE decode(value) END || '''', ', ') FROM parquet_kv_metadata('"
                      + path()
                      + "')")
              .get(0);
      instance.run(
          "COPY (FROM read_parquet('"
              + path()
              + "', hive_partitioning = false)) TO '"
              + other
              + "' (FORMAT parquet, KV_METADATA {"
              + metadata
              + "})");
    }
    String key = "state/3/" + entry + ".parquet";
    StateFile changed =
        new StateFile(
            key, Buckets.ALL, true, 2, Files.size(other), Checksum.of(other), file.batch());
    checkpoint.putFileIfAbsent(key, other);
    return new StateVersion(
        List.of(new StateSegment(Buckets.ALL, List.of(changed), 2)), Watermark.NONE, List.of());
  }

  @Test
  void stateWorksWithExternalAccessLockedToItsDirectories() {
    try (Instance instance = instance()) {
      instance.run(
          "SET allowed_directories = ['"
              + checkpoint.location()
              + "/', '"
              + directory.resolve("scratch[1]")
              + "/']");
      instance.run("SET enable_external_access = false");
      instance.run("SET lock_configuration = true");
      SavedState table = instance.load(LAYOUT, version, Buckets.ALL);
      assertThat(table.rows()).isEqualTo(2);
      String bucket = ObjectState.bucketExpression(List.of("k"));
      instance.apply(
          table,
          "SELECT " + bucket + " AS _bucket, *, true AS _live FROM (SELECT 'c' AS k, 3 AS v)");
      assertThat(Instance.save(table, 2).added()).hasSize(1);
    }
  }

  @Test
  void sameAttemptWithOtherContentIsToldToRunAnew() {
    try (Instance instance = instance()) {
      SavedState table = instance.load(LAYOUT, version, Buckets.ALL);
      String bucket = ObjectState.bucketExpression(List.of("k"));
      instance.apply(
          table,
          "SELECT " + bucket + " AS _bucket, *, true AS _live FROM (SELECT 'c' AS k, 3 AS v)");
      checkpoint.putIfAbsent("state/3/0/0000000002-0-1024-twice.parquet", new byte[1]);
      TaskId task = new TaskId(Timeline.FIRST, new BatchId(2), Instance.OPERATOR, 0);
      TidemillException failure =
          catchThrowableOfType(
              TidemillException.class, () -> table.save(task, new AttemptId("twice")));
      assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
    }
  }
}

package io.tidemill.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.engine.Duck;
import io.tidemill.engine.task.TaskEngine;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Buckets;
import io.tidemill.protocol.Epoch;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.error.Category;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.ShuffleFile;
import io.tidemill.protocol.task.TaskId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.query.plan.Stage;
import io.tidemill.storage.Blob;
import io.tidemill.storage.local.Durability;
import io.tidemill.storage.local.LocalBlob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShuffleFilesTest {
  private static final Stage PRODUCER = stage(0, OptionalInt.of(1));
  private static final Stage CONSUMER = stage(1, OptionalInt.empty());

  @TempDir Path directory;
  private Blob blob;
  private Scratch scratch;
  private Duck duck;
  private ShuffleFiles files;

  @BeforeEach
  void open() throws IOException {
    AtomicLong ids = new AtomicLong();
    Path checkpoint = Files.createDirectories(directory.resolve("checkpoint")).toRealPath();
    blob =
        new LocalBlob(
            checkpoint,
            () -> "id" + ids.incrementAndGet(),
            InstantSource.system(),
            Durability.NONE);
    scratch = new Scratch(directory.resolve("scratch"));
    duck = new Duck(List.of(checkpoint, scratch.root()), 0);
    files = new ShuffleFiles(blob, duck, scratch);
  }

  @AfterEach
  void close() {
    duck.close();
    scratch.close();
    blob.close();
  }

  private static Stage stage(int id, OptionalInt consumer) {
    return new Stage(
        id, OptionalInt.empty(), List.of(), Optional.empty(), "SELECT 1", consumer, false);
  }

  private static TaskRequest request(String attempt) {
    BatchContext batch =
        new BatchContext(
            new QueryId("00000000-0000-0000-0000-000000000001"),
            Timeline.FIRST,
            Epoch.FIRST,
            BatchId.FIRST,
            0,
            0,
            Watermark.NONE,
            Watermark.NONE);
    return new TaskRequest(
        batch,
        new TaskId(Timeline.FIRST, BatchId.FIRST, 0, 0),
        new AttemptId(attempt),
        "checkpoint",
        "fingerprint",
        List.of(0),
        List.of(),
        List.of(),
        Buckets.ALL,
        Map.of(),
        0,
        false);
  }

  private Optional<ShuffleFile> write(String rows, String attempt) {
    duck.create(TaskEngine.outTable(0), rows);
    return files.write(PRODUCER, request(attempt));
  }

  private List<List<Object>> read(ShuffleFile file, Buckets shard) {
    String table = files.read(CONSUMER, List.of(file), shard).orElseThrow();
    return duck.rows("SELECT * FROM " + table, 100);
  }

  @Test
  void shardReadsItsBucketsOnly() {
    ShuffleFile file =
        write("SELECT b::USMALLINT AS _bucket, b AS x FROM range(1024) AS r(b)", "a").orElseThrow();
    assertThat(file.rows()).isEqualTo(1024);
    assertThat(read(file, new Buckets(512, 514))).asString().isEqualTo("[[512, 512], [513, 513]]");
  }

  @Test
  void noRowsMakeNoFile() {
    assertThat(write("SELECT 0::USMALLINT AS _bucket WHERE false", "a")).isEmpty();
    assertThat(files.read(CONSUMER, List.of(), Buckets.ALL)).isEmpty();
  }

  @Test
  void attemptThatIsExecutedTwiceHasOneFile() {
    String rows = "SELECT 0::USMALLINT AS _bucket, 1 AS x";
    ShuffleFile first = write(rows, "a").orElseThrow();
    assertThat(write(rows, "a")).contains(first);
    assertThat(read(first, Buckets.ALL)).asString().isEqualTo("[[0, 1]]");
  }

  @Test
  void attemptThatIsExecutedTwiceWithOtherBytesIsToBeTriedAgain() {
    ShuffleFile first = write("SELECT 0::USMALLINT AS _bucket, 1 AS x", "a").orElseThrow();
    assertThatThrownBy(() -> write("SELECT 0::USMALLINT AS _bucket, 2 AS x", "a"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.category()).isEqualTo(Category.UNAVAILABLE));
    assertThat(read(first, Buckets.ALL)).asString().isEqualTo("[[0, 1]]");
    assertThat(write("SELECT 0::USMALLINT AS _bucket, 2 AS x", "b")).isPresent();
  }

  @Test
  void changedFileIsNoticed() throws IOException {
    ShuffleFile file = write("SELECT 0::USMALLINT AS _bucket, 1 AS x", "a").orElseThrow();
    Path path = blob.localFile(file.key()).orElseThrow();
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length / 2] ^= 1;
    Files.delete(path);
    Files.write(path, bytes);
    assertThatThrownBy(() -> read(file, Buckets.ALL))
        .isInstanceOf(TidemillException.class)
        .hasMessageContaining("not what was written");
  }
}

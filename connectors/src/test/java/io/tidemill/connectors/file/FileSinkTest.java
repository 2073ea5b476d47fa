package io.tidemill.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.testing.Folder;
import io.tidemill.connectors.testing.ScratchDatabase;
import io.tidemill.connectors.testing.SinkHarness;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileSinkTest {
  private static final Schema ROWS = Schema.of("k", "VARCHAR", "v", "BIGINT");
  private static final String W = SinkNames.of(new io.tidemill.protocol.QueryId("q1")).writer();

  @TempDir Path temp;
  private SinkHarness sink;

  @AfterEach
  void close() {
    if (sink != null) {
      sink.close();
    }
  }

  private Path out() {
    return temp.resolve("out");
  }

  private SinkHarness open(FileFormat format, Schema rows, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("path", out().toString()));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    close();
    sink =
        new SinkHarness(
            temp,
            new FileSinkConnector(format, path -> Folder.blob(Path.of(path))),
            rows,
            all,
            "q1");
    return sink;
  }

  private static void publish(SinkPublisher publisher, long batch, SinkPublisher.Staged... staged) {
    publisher.publish(Timeline.FIRST, new BatchId(batch), OutputMode.APPEND, List.of(staged));
  }

  private List<String> data() {
    return Folder.files(out()).stream().filter(f -> !f.startsWith("_tidemill")).toList();
  }

  private List<String> read(String sql) {
    try (ScratchDatabase db = new ScratchDatabase(temp)) {
      return db.rows(sql.replace("OUT", out().toString()));
    }
  }

  @Test
  void stagedRowsShowInNoListingOfDataUntilTheyArePublished() {
    open(FileFormat.PARQUET, ROWS);
    SinkPublisher publisher = sink.publisher();
    var staged = sink.staged("VALUES ('a', 1), ('b', 2)", 3, 0, "x");
    assertThat(data()).isEmpty();
    assertThat(Folder.files(out())).noneMatch(f -> f.endsWith(".parquet"));
    publish(publisher, 3, staged);
    assertThat(data()).containsExactly("part-0-0000000003-1-0-" + W + ".parquet");
    assertThat(read("SELECT * FROM read_parquet('OUT/**/*.parquet')"))
        .containsExactly("a|1", "b|2");
  }

  @Test
  void theManifestListsWhatWasPublished() throws Exception {
    open(FileFormat.PARQUET, ROWS);
    var one = sink.staged("VALUES ('a', 1), ('b', 2)", 0, 0, "x");
    var two = sink.staged("VALUES ('c', 3)", 0, 1, "y");
    publish(sink.publisher(), 0, one, two);
    Path manifest = out().resolve("_tidemill/manifest/0-0000000000-" + W + ".json");
    Manifest read = io.tidemill.protocol.Json.read(Files.readAllBytes(manifest), Manifest.class);
    assertThat(read.files()).extracting(Manifest.Entry::rows).containsExactly(2L, 1L);
    for (Manifest.Entry file : read.files()) {
      assertThat(Files.size(out().resolve(file.name()))).isEqualTo(file.bytes());
    }
  }

  @Test
  void anEmptyBatchLeavesNothing() {
    open(FileFormat.PARQUET, ROWS);
    SinkPublisher publisher = sink.publisher();
    List<String> before = Folder.files(out());
    assertThat(sink.write("SELECT 'a', 1 WHERE false", SinkHarness.task(0, 0), "x")).isEmpty();
    publish(publisher, 0);
    assertThat(Folder.files(out())).isEqualTo(before);
  }

  @Test
  void aRepeatedAttemptAndARepeatedPublicationChangeNothing() {
    open(FileFormat.JSON, ROWS);
    var lost = sink.staged("VALUES ('a', 1)", 0, 0, "lost");
    var won = sink.staged("VALUES ('a', 1)", 0, 0, "won");
    SinkPublisher publisher = sink.publisher();
    publish(publisher, 0, won);
    List<String> published = Folder.files(out());
    publish(publisher, 0, won);
    publish(sink.publisher(), 0, won);
    assertThat(Folder.files(out())).isEqualTo(published);
    assertThat(data()).hasSize(1);
    assertThat(lost.output()).isNotEqualTo(won.output());
  }

  @Test
  void publishingAfterACrashAtAnyStepDoesTheRest() throws Exception {
    open(FileFormat.CSV, ROWS, "maxRowsPerFile", "1");
    var staged = sink.staged("VALUES ('a', 1), ('b', 2)", 0, 0, "x");
    publish(sink.publisher(), 0, staged);
    List<String> whole = Folder.files(out());
    List<FileSinkOutput.Staged> files = FileSinkOutput.of(staged.output()).files();
    for (int step = 0; step < 5; step++) {
      // Undo the steps behind the crash: copies, manifest, removal of staged names.
      for (int i = 0; i < files.size(); i++) {
        Path data = out().resolve(files.get(i).name());
        if (step < 4) {
          Path stagedFile = out().resolve(files.get(i).staged());
          Files.createDirectories(stagedFile.getParent());
          Files.copy(data, stagedFile);
        }
        if (step <= i) {
          Files.delete(data);
        }
      }
      if (step < 3) {
        Files.delete(out().resolve("_tidemill/manifest/0-0000000000-" + W + ".json"));
      }
      publish(sink.publisher(), 0, staged);
      assertThat(Folder.files(out())).as("crash after step %d", step).isEqualTo(whole);
    }
  }

  @Test
  void whatAbandonedAttemptsStagedIsRemovedByTheNextPublication() {
    open(FileFormat.PARQUET, ROWS);
    sink.staged("VALUES ('a', 1)", 0, 0, "zombie");
    var future = sink.staged("VALUES ('c', 3)", 2, 0, "future");
    publish(sink.publisher(), 1, sink.staged("VALUES ('b', 2)", 1, 0, "x"));
    assertThat(Folder.files(out()))
        .filteredOn(f -> f.contains("staging"))
        .containsExactly(FileSinkOutput.of(future.output()).files().get(0).staged());
  }

  @Test
  void aTaskMayWriteToASinkMoreThanOnce() {
    open(FileFormat.PARQUET, ROWS);
    var first = sink.staged("VALUES ('a', 1)", 0, 0, "x");
    var second = sink.staged("VALUES ('b', 2)", 0, 0, "x");
    publish(sink.publisher(), 0, first, second);
    assertThat(read("SELECT k FROM read_parquet('OUT/*.parquet') ORDER BY k"))
        .containsExactly("a", "b");
  }

  @Test
  void rowsAreSplitIntoFilesByNumber() {
    open(FileFormat.PARQUET, ROWS, "maxRowsPerFile", "4");
    publish(sink.publisher(), 0, sink.staged("SELECT 'k', i FROM range(10) r(i)", 0, 0, "x"));
    assertThat(data())
        .containsExactly(
            "part-0-0000000000-1-0-1-" + W + ".parquet",
            "part-0-0000000000-1-0-2-" + W + ".parquet",
            "part-0-0000000000-1-0-" + W + ".parquet");
    assertThat(read("SELECT list(v ORDER BY v) FROM read_parquet('OUT/*.parquet')"))
        .containsExactly("[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]");
  }

  @Test
  void partitionColumnsBecomeDirectories() {
    open(
        FileFormat.PARQUET,
        Schema.of("day", "DATE", "v", "BIGINT", "k", "VARCHAR"),
        "partitionBy",
        "Day, k",
        "maxRowsPerFile",
        "2");
    String rows =
        "VALUES (DATE '2024-02-29', 1, 'a/b ü'), (DATE '2024-02-29', 2, 'a/b ü'),"
            + " (DATE '2024-02-29', 3, 'a/b ü'), (NULL, 4, NULL), (NULL, 5, '')";
    publish(sink.publisher(), 0, sink.staged(rows, 0, 0, "x"));
    String name = "part-0-0000000000-1-0";
    String none = "__HIVE_DEFAULT_PARTITION__";
    assertThat(data())
        .containsExactlyInAnyOrder(
            "day=2024-02-29/k=a%2Fb ü/" + name + "-" + W + ".parquet",
            "day=2024-02-29/k=a%2Fb ü/" + name + "-1-" + W + ".parquet",
            "day=" + none + "/k=" + none + "/" + name + "-" + W + ".parquet");
    assertThat(read("SELECT v, day, k FROM read_parquet('OUT/**/*.parquet') ORDER BY v"))
        .containsExactly(
            "1|2024-02-29|a/b ü",
            "2|2024-02-29|a/b ü",
            "3|2024-02-29|a/b ü",
            "4|null|null",
            "5|null|null");
    assertThat(read("SELECT name FROM parquet_schema('OUT/day=2024-02-29/*/*.parquet')"))
        .contains("v")
        .doesNotContain("day", "k");
  }

  @Test
  void columnsMayHaveAnyName() {
    Schema rows =
        Schema.of("number", "BIGINT", "chunk", "BIGINT", "rows", "BIGINT", "k0", "BIGINT");
    open(FileFormat.PARQUET, rows, "partitionBy", "k0", "maxRowsPerFile", "1");
    publish(sink.publisher(), 0, sink.staged("VALUES (1, 2, 3, 4), (5, 6, 7, 4)", 0, 0, "x"));
    assertThat(
            read("SELECT number, chunk, rows, k0 FROM read_parquet('OUT/*/*.parquet') ORDER BY 1"))
        .containsExactly("1|2|3|4", "5|6|7|4");
  }

  @Test
  void manyPartitionsHaveAFileEach() {
    open(FileFormat.CSV, Schema.of("p", "BIGINT", "v", "BIGINT"), "partitionBy", "p");
    publish(sink.publisher(), 0, sink.staged("SELECT i % 120, i FROM range(1000) r(i)", 0, 0, "x"));
    assertThat(data()).hasSize(120);
    assertThat(read("SELECT sum(v), count(*) FROM read_csv('OUT/*/*.csv', columns={v: 'BIGINT'})"))
        .containsExactly("499500|1000");
  }

  @Test
  void parquetKeepsEveryDigit() {
    open(
        FileFormat.PARQUET,
        Schema.of("h", "HUGEINT", "l", "STRUCT(a HUGEINT[])", "d", "DECIMAL(38,2)"));
    String big = "12345678901234567890123456789012345678";
    publish(
        sink.publisher(),
        0,
        sink.staged(
            "SELECT " + big + ", {'a': [" + big + "]}, 123456789012345678901234567890.12",
            0,
            0,
            "x"));
    assertThat(read("SELECT h, l.a[1], d FROM read_parquet('OUT/*.parquet')"))
        .containsExactly(big + "|" + big + "|123456789012345678901234567890.12");
  }

  @Test
  void jsonIsValidForEveryValue() throws Exception {
    open(
        FileFormat.JSON,
        Schema.of(
            "f",
            "DOUBLE",
            "g",
            "FLOAT",
            "t",
            "TIMESTAMP",
            "b",
            "BLOB",
            "n",
            "STRUCT(x DOUBLE[], m MAP(VARCHAR, DOUBLE))",
            "d",
            "DECIMAL(18,2)"));
    String rows =
        "SELECT 'NaN'::DOUBLE, 0.1::FLOAT, TIMESTAMP '2024-01-01 00:00:00.000001', 'hi'::BLOB,"
            + " {'x': [1.5, '-inf'::DOUBLE, NULL], 'm': MAP {'k': 'inf'::DOUBLE}},"
            + " 1234567890123456.78 UNION ALL SELECT NULL, NULL, NULL, NULL, NULL, NULL";
    publish(sink.publisher(), 0, sink.staged(rows, 0, 0, "x"));
    assertThat(Files.readString(out().resolve(data().get(0))))
        .isEqualTo(
            "{\"f\":\"NaN\",\"g\":0.1,\"t\":\"2024-01-01T00:00:00.000001Z\",\"b\":\"aGk=\","
                + "\"n\":{\"x\":[1.5,\"-Infinity\",null],\"m\":{\"k\":\"Infinity\"}},"
                + "\"d\":1234567890123456.78}\n"
                + "{\"f\":null,\"g\":null,\"t\":null,\"b\":null,\"n\":null,\"d\":null}\n");
  }

  @Test
  void csvIsWrittenInTheDialectAskedFor() throws Exception {
    open(
        FileFormat.CSV,
        Schema.of("a", "VARCHAR", "b", "DOUBLE", "t", "TIMESTAMP"),
        "header",
        "true",
        "sep",
        ";",
        "nullValue",
        "NA");
    String rows =
        "VALUES ('x;\"y', 'inf'::DOUBLE, TIMESTAMP '2024-01-01'), (NULL, NULL, NULL), ('NA', 1.5, NULL)";
    publish(sink.publisher(), 0, sink.staged(rows, 0, 0, "x"));
    assertThat(Files.readString(out().resolve(data().get(0))))
        .isEqualTo(
            "a;b;t\n\"x;\"\"y\";Infinity;2024-01-01T00:00:00.000000Z\nNA;NA;NA\n\"NA\";1.5;NA\n");
  }

  @Test
  void filesAreCompressedOnRequest() {
    open(FileFormat.JSON, ROWS, "compression", "gzip");
    publish(sink.publisher(), 0, sink.staged("VALUES ('a', 1)", 0, 0, "x"));
    assertThat(data()).allMatch(f -> f.endsWith(".json.gz"));
    assertThat(read("SELECT k FROM read_json('OUT/*.json.gz')")).containsExactly("a");
    open(FileFormat.PARQUET, ROWS, "compression", "zstd", "path", temp.resolve("p").toString());
    publish(sink.publisher(), 0, sink.staged("VALUES ('a', 1)", 0, 0, "x"));
    assertThat(
            read(
                "SELECT DISTINCT compression FROM parquet_metadata('"
                    + temp.resolve("p")
                    + "/*.parquet')"))
        .containsExactly("ZSTD");
  }

  @Test
  void aTargetThatCannotBeWrittenIsNamedAtTheStart() throws Exception {
    Files.writeString(temp.resolve("file"), "in the way");
    open(FileFormat.PARQUET, ROWS, "path", temp.resolve("file/out").toString());
    assertThatThrownBy(sink::publisher)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
              assertThat(e.getMessage()).contains("file/out");
            });
  }

  @Test
  void aNewCheckpointDoesNotAddToTheOutputOfAnOldOne() {
    open(FileFormat.PARQUET, ROWS);
    SinkPublisher publisher = sink.publisher();
    publish(publisher, 0, sink.staged("VALUES ('a', 1)", 0, 0, "x"));
    publisher.close();
    sink.publisher().close();
    try (SinkHarness other = other()) {
      assertThatThrownBy(other::publisher)
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH));
    }
  }

  @Test
  void aQueryThatDiedBeforeItsFirstCommitLeavesNoClaim() {
    open(FileFormat.PARQUET, ROWS);
    sink.publisher().close();
    try (SinkHarness other = other()) {
      SinkPublisher publisher = other.publisher();
      publish(publisher, 0, other.staged("VALUES ('a', 1)", 0, 0, "x"));
      publisher.close();
    }
    assertThatThrownBy(sink::publisher)
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH));
  }

  /** A sink for the same target and a query of the same name with another checkpoint. */
  private SinkHarness other() {
    return new SinkHarness(
        temp,
        new FileSinkConnector(FileFormat.PARQUET, path -> Folder.blob(Path.of(path))),
        ROWS,
        Map.of("path", out().toString()),
        "q2");
  }

  @Test
  void wrongColumnsAndOptionsAreRefused() {
    assertRefused(ErrorCode.UNKNOWN_NAME, "Did you mean 'k'", ROWS, "partitionBy", "kk");
    assertRefused(ErrorCode.INVALID_OPTION, "not all columns", ROWS, "partitionBy", "k,v");
    assertRefused(ErrorCode.INVALID_OPTION, "one of none", ROWS, "compression", "zip");
    assertRefused(ErrorCode.UNSUPPORTED, "nested", Schema.of("a", "INTEGER[]"));
    assertRefused(ErrorCode.UNKNOWN_OPTION, "maxRowsPerFile", ROWS, "maxRowPerFile", "1");
  }

  private void assertRefused(ErrorCode code, String text, Schema rows, String... options) {
    assertThatThrownBy(() -> open(FileFormat.CSV, rows, options))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(text);
            });
    sink = null;
  }
}

package io.tidemill.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.connectors.testing.Folder;
import io.tidemill.connectors.testing.ScratchDatabase;
import io.tidemill.connectors.testing.SinkHarness;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the sinks write the sources read, with DuckDB as the judge. */
final class FileRoundTripTest {
  private static final String[] PIECES = {
    "a", "\"", "\"\"", ",", ";", "\\", "\\\"", "'", "\n", "\r\n", "\r", " ", "é", "NA", "#", "\t"
  };

  @TempDir Path temp;

  private void sink(FileFormat format, Schema rows, Map<String, String> options, String select) {
    try (SinkHarness sink =
        new SinkHarness(
            temp,
            new FileSinkConnector(format, path -> Folder.blob(Path.of(path))),
            rows,
            options,
            "q")) {
      var staged = sink.staged(select, 0, 0, "x");
      sink.publisher().publish(Timeline.FIRST, new BatchId(0), OutputMode.APPEND, List.of(staged));
    }
  }

  @Test
  void csvThatOurSinkAndDuckDbWriteIsReadBackExactly() throws Exception {
    for (long seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      String escape = random.nextBoolean() ? "\"" : "\\";
      String nullValue = random.nextBoolean() ? "" : "NA";
      List<String> texts = new ArrayList<>();
      StringBuilder values = new StringBuilder("VALUES ");
      for (int i = 0; i < 60; i++) {
        String text = random.nextInt(8) == 0 ? null : text(random);
        texts.add("" + text);
        String literal = text == null ? "NULL" : Sql.text(text);
        values.append(i == 0 ? "" : ", ").append("(").append(i).append(", ").append(literal);
        values.append(")");
      }
      Schema rows = Schema.of("i", "BIGINT", "s", "VARCHAR");
      Path out = temp.resolve("out" + seed);
      Map<String, String> dialect = Map.of("escape", escape, "nullValue", nullValue);
      sink(FileFormat.CSV, rows, with(dialect, "path", out.toString()), values.toString());
      FileSourceHarness source =
          new FileSourceHarness(
              Files.createDirectories(temp.resolve("scratch")),
              FileFormat.CSV,
              rows,
              with(dialect, "path", out.toString(), "multiLine", "true"));
      List<String> read = source.rows("SELECT fields[2] FROM t");
      assertThat(read)
          .as("seed %d, escape %s, null '%s'", seed, escape, nullValue)
          .isEqualTo(texts);
      assertThat(source.rows("SELECT _problem FROM t WHERE _problem IS NOT NULL")).isEmpty();
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(6); n > 0; n--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static Map<String, String> with(Map<String, String> options, String... more) {
    Map<String, String> all = new java.util.HashMap<>(options);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  @Test
  void partitionedParquetIsReadBackWithItsDirectories() throws Exception {
    Schema rows = Schema.of("p", "VARCHAR", "t", "TIMESTAMP", "v", "HUGEINT");
    Map<String, String> path = Map.of("path", temp.resolve("out").toString());
    String select =
        "VALUES ('a=b%/c:d', TIMESTAMP '2024-01-01 01:02:03.000004', 1), (NULL, NULL, 2),"
            + " ('..', TIMESTAMP '2024-01-01', 12345678901234567890123456789)";
    sink(FileFormat.PARQUET, rows, with(path, "partitionBy", "p,t"), select);
    FileSourceHarness source =
        new FileSourceHarness(
            Files.createDirectories(temp.resolve("scratch")),
            FileFormat.PARQUET,
            Schema.of("v", "HUGEINT", "p", "VARCHAR", "t", "TIMESTAMP"),
            path);
    assertThat(source.rows("SELECT p, t, v FROM t ORDER BY v"))
        .containsExactly(
            "a=b%/c:d|2024-01-01 01:02:03.000004|1",
            "null|null|2", "..|2024-01-01 00:00:00.0|12345678901234567890123456789");
  }

  @Test
  void jsonIsReadBackByTheLine() throws Exception {
    Schema rows = Schema.of("s", "VARCHAR");
    Map<String, String> path = Map.of("path", temp.resolve("out").toString());
    sink(FileFormat.JSON, rows, path, "VALUES ('line\nbreak \"quoted\" ü'), (NULL)");
    FileSourceHarness source =
        new FileSourceHarness(
            Files.createDirectories(temp.resolve("scratch")), FileFormat.JSON, rows, path);
    List<String> lines = source.rows("SELECT decode(value) FROM t");
    try (ScratchDatabase db = new ScratchDatabase(temp)) {
      assertThat(db.rows("SELECT " + Sql.text(lines.get(0)) + "::JSON ->> 's'"))
          .containsExactly("line\nbreak \"quoted\" ü");
    }
    assertThat(lines).hasSize(2);
  }
}

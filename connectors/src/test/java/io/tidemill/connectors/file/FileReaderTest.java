package io.tidemill.connectors.file;

import static io.tidemill.connectors.file.FileSourceHarness.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.connectors.SourceConnector;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileReaderTest {
  private static final Schema K = Schema.of("k", "VARCHAR");

  @TempDir Path temp;
  private Path in;
  private Path scratch;

  @BeforeEach
  void makeDirectories() throws Exception {
    in = Files.createDirectories(temp.resolve("in"));
    scratch = Files.createDirectories(temp.resolve("scratch"));
  }

  private FileSourceHarness source(FileFormat format, Schema declared, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("path", in.toString()));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new FileSourceHarness(scratch, format, declared, all);
  }

  @Test
  void jsonFilesGiveARowPerLineWithItsPlace() {
    Path file = write(in.resolve("a.json"), "{\"k\":1}\n\n{\"k\":2.50}\r\n  \nno json", 3);
    FileSourceHarness source = source(FileFormat.JSON, K);
    assertThat(source.rows("SELECT decode(value), _line, _file = '" + file + "', _modified FROM t"))
        .containsExactly(
            "{\"k\":1}|1|true|2023-11-14 22:13:23.0",
            "{\"k\":2.50}|3|true|2023-11-14 22:13:23.0",
            "no json|5|true|2023-11-14 22:13:23.0");
  }

  @Test
  void onlyWantedColumnsAreRead() {
    write(in.resolve("a.json"), "{}\n{}", 1);
    FileSourceHarness source = source(FileFormat.JSON, K);
    assertThat(source.rows("SELECT * FROM t", Set.of("_line"))).containsExactly("1", "2");
  }

  @Test
  void aByteOrderMarkIsNotPartOfTheFirstLine() {
    write(in.resolve("a.json"), "\ufeff{}\n\ufeff", 1);
    assertThat(source(FileFormat.JSON, K).rows("SELECT octet_length(value) FROM t"))
        .containsExactly("2", "3");
  }

  @Test
  void linesLongerThanTheBufferAreWhole() {
    String text = "x".repeat(200_000);
    write(in.resolve("a.txt"), "short\n" + text + "\r\n" + text, 1);
    assertThat(
            source(FileFormat.TEXT, Schema.EMPTY).rows("SELECT octet_length(value), _line FROM t"))
        .containsExactly("5|1", "200000|2", "200000|3");
  }

  @Test
  void compressedFilesAreUnpacked() throws Exception {
    Path file = in.resolve("a.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("{\"k\":1}\n{\"k\":2}".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(source(FileFormat.JSON, K).rows("SELECT decode(value) FROM t"))
        .containsExactly("{\"k\":1}", "{\"k\":2}");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length - 6));
    assertFails(ErrorCode.MALFORMED_RECORD, "damaged", source(FileFormat.JSON, K));
  }

  private static void assertFails(ErrorCode code, String text, FileSourceHarness source) {
    assertThatThrownBy(() -> source.rows("SELECT * FROM t"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void textKeepsEmptyLines() {
    write(in.resolve("a.txt"), "grüße\n\nend\n", 1);
    FileSourceHarness source = source(FileFormat.TEXT, Schema.EMPTY);
    assertThat(source.rows("SELECT decode(value) FROM t")).containsExactly("grüße", "", "end");
  }

  @Test
  void wholeJsonDocumentsAreCutOutUnchanged() {
    write(in.resolve("a.json"), "[ {\"n\": 1.10,\n \"x\": [1, {}]},\n{\"n\":2}\n]", 1);
    write(in.resolve("b.json"), "{\"n\":\n3}", 2);
    write(in.resolve("c.json"), "{\"n\":4} {\"n\":5}", 3);
    write(in.resolve("d.json"), "[{\"n\":6}, 7]", 4);
    write(in.resolve("e.json"), "{\"n\":", 5);
    FileSourceHarness source = source(FileFormat.JSON, K, "multiLine", "true");
    assertThat(source.rows("SELECT decode(value), _line FROM t"))
        .containsExactly(
            "{\"n\": 1.10,\n \"x\": [1, {}]}|1",
            "{\"n\":2}|3",
            "{\"n\":\n3}|1",
            "{\"n\":4}|1",
            "{\"n\":5}|1",
            "[{\"n\":6}, 7]|1",
            "{\"n\":|1");
  }

  @Test
  void csvFieldsFollowTheDeclaredColumns() {
    write(in.resolve("a.csv"), "1,\"x, \"\"y\"\"\"\n\n2,\n3,\"\"\n", 1);
    FileSourceHarness source = source(FileFormat.CSV, Schema.of("a", "INTEGER", "b", "VARCHAR"));
    assertThat(source.rows("SELECT fields[1], fields[2], _line, _problem FROM t"))
        .containsExactly("1|x, \"y\"|1|null", "2|null|3|null", "3||4|null");
  }

  @Test
  void csvRecordsOfAnotherWidthAreMalformedAndDoNotVanish() {
    write(in.resolve("a.csv"), "1,2\n3\n4,5,6\n\"7,8\n\"9\"x,1\n10,11", 1);
    FileSourceHarness source = source(FileFormat.CSV, Schema.of("a", "INTEGER", "b", "INTEGER"));
    assertThat(source.rows("SELECT fields IS NULL, _record, _line, _problem FROM t"))
        .containsExactly(
            "false|1,2|1|null",
            "true|3|2|1 fields instead of 2",
            "true|4,5,6|3|3 fields instead of 2",
            "true|\"7,8|4|a quote is not closed",
            "true|\"9\"x,1|5|there is text after a closing quote",
            "false|10,11|6|null");
  }

  @Test
  void csvThatIsNotUtf8IsMalformed() throws Exception {
    Files.write(in.resolve("a.csv"), new byte[] {'1', '\n', (byte) 0xff, '\n', '2'});
    assertThat(
            source(FileFormat.CSV, Schema.of("a", "INTEGER"))
                .rows("SELECT fields[1], _problem FROM t"))
        .containsExactly("1|null", "null|the text is not UTF-8", "2|null");
  }

  @Test
  void csvHeadersMapColumnsByNameInEachFile() {
    write(in.resolve("a.csv"), "a,b\n1,2\n", 1);
    write(in.resolve("b.csv"), "# made by x\nB , A\n4,3\n5\n", 2);
    FileSourceHarness source =
        source(
            FileFormat.CSV,
            Schema.of("a", "INTEGER", "b", "INTEGER"),
            "header",
            "true",
            "comment",
            "#");
    assertThat(source.rows("SELECT fields[1], fields[2], _line, _problem FROM t"))
        .containsExactly("1|2|2|null", "3|4|3|null", "null|null|4|1 fields instead of 2");
  }

  @Test
  void csvHeadersWithMissingOrUndeclaredColumnsMakeTheFileMalformed() {
    write(in.resolve("a.csv"), "amout,b\n1,2\n", 1);
    write(in.resolve("b.csv"), "amount,b,c\n1,2,3\n", 2);
    FileSourceHarness source =
        source(FileFormat.CSV, Schema.of("amount", "INTEGER", "b", "INTEGER"), "header", "true");
    assertThat(source.rows("SELECT fields, _problem FROM t"))
        .containsExactly(
            "null|the header has no column 'amount'. Did you mean 'amout'?",
            "null|the header has the undeclared column 'c'");
  }

  @Test
  void csvDialectsAreConfigurable() {
    write(in.resolve("a.csv"), "1;'it\\'s; C:\\new \\\\';NA\n2;'NA';\n", 1);
    FileSourceHarness source =
        source(
            FileFormat.CSV,
            Schema.of("a", "INTEGER", "b", "VARCHAR", "c", "VARCHAR"),
            "sep",
            ";",
            "quote",
            "'",
            "escape",
            "\\",
            "nullValue",
            "NA");
    assertThat(source.rows("SELECT fields[2], fields[3] FROM t"))
        .containsExactly("it's; C:\\new \\|null", "NA|");
  }

  @Test
  void csvValuesGoOnOverLinesIfAllowed() {
    write(in.resolve("a.csv"), "1,\"x\r\n\ny\"\r\n2,z\n3,\"open\n", 1);
    FileSourceHarness source =
        source(FileFormat.CSV, Schema.of("a", "INTEGER", "b", "VARCHAR"), "multiLine", "true");
    assertThat(source.rows("SELECT fields[2], _line, _record, _problem FROM t"))
        .containsExactly(
            "x\r\n\ny|1|1,\"x\r\n\ny\"|null",
            "z|4|2,z|null",
            "null|5|3,\"open|a quote is not closed");
  }

  @Test
  void partitionColumnsAreFoundAndTyped() {
    write(in.resolve("day=2024-02-29/n=1/a.json"), "{}", 1);
    write(in.resolve("day=2024-03-01/n=2/b.json"), "{}\n{}", 2);
    write(in.resolve("day=__HIVE_DEFAULT_PARTITION__/n=a%2Fb%20c/c.json"), "{}", 3);
    FileSourceHarness source = source(FileFormat.JSON, Schema.of("k", "VARCHAR", "day", "DATE"));
    assertThat(source.rawSchema().find("day").orElseThrow().type()).isEqualTo("DATE");
    assertThat(source.rows("SELECT day, typeof(day), n, decode(value) FROM t"))
        .containsExactly(
            "2024-02-29|DATE|1|{}",
            "2024-03-01|DATE|2|{}",
            "2024-03-01|DATE|2|{}",
            "null|DATE|a/b c|{}");
    source.position = source.source().initial();
    assertThat(source.rows("SELECT day FROM t", Set.of("day"))).hasSize(4);
  }

  @Test
  void csvFieldsLeaveOutPartitionColumns() {
    write(in.resolve("p=7/a.csv"), "1,2", 1);
    FileSourceHarness source =
        source(FileFormat.CSV, Schema.of("a", "INTEGER", "p", "INTEGER", "b", "INTEGER"));
    assertThat(source.rows("SELECT fields, p, _problem FROM t")).containsExactly("[1, 2]|7|null");
    SourceConnector.Payload payload =
        new FileSourceConnector(FileFormat.CSV)
            .payload(Options.of("stream s", Map.of("path", in.toString())))
            .orElseThrow();
    assertThat(payload.beside()).containsExactly("p");
    assertThat(payload.where()).isEqualTo("concat(\"_file\", ':', _line)");
  }

  @Test
  void directoryValuesOfAnotherTypeAreNamed() {
    write(in.resolve("day=someday/a.json"), "{}", 1);
    assertFails(
        ErrorCode.MALFORMED_RECORD,
        "someday",
        source(FileFormat.JSON, Schema.of("k", "VARCHAR", "day", "DATE")));
  }

  @Test
  void aPartitionThatAppearsLaterIsNotTakenForNull() {
    write(in.resolve("a.json"), "{}", 1);
    FileSourceHarness source = source(FileFormat.JSON, Schema.of("k", "VARCHAR", "day", "DATE"));
    source.batch();
    write(in.resolve("day=2024-01-01/b.json"), "{}", 2);
    assertThatThrownBy(source::batch).hasMessageContaining("'partitionBy'");
  }

  @Test
  void aFileOutsideOfThePartitionsIsAnError() {
    write(in.resolve("a.json"), "{}", 1);
    FileSourceHarness source = source(FileFormat.JSON, K, "partitionBy", "day");
    assertThatThrownBy(source::batch).hasMessageContaining("no directory name=value");
  }

  @Test
  void filesThatVanishedAreAnErrorUnlessIgnored() throws Exception {
    Path a = write(in.resolve("a.json"), "{\"k\":1}", 1);
    write(in.resolve("b.json"), "{\"k\":2}", 2);
    for (boolean ignore : List.of(false, true)) {
      FileSourceHarness source =
          source(FileFormat.JSON, K, "ignoreMissingFiles", Boolean.toString(ignore));
      write(a, "{\"k\":1}", 1);
      Source.Range range =
          source.source().plan(source.position, source.source().latest(source.position), true, 0);
      Files.delete(a);
      if (ignore) {
        assertThat(source.read(range, "SELECT decode(value) FROM t", Set.of("value")))
            .containsExactly("{\"k\":2}");
      } else {
        assertThatThrownBy(() -> source.read(range, "SELECT 1", Set.of("value")))
            .isInstanceOfSatisfying(
                TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_LOSS));
      }
    }
  }
}

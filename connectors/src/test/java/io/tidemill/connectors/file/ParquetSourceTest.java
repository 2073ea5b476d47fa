package io.tidemill.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.testing.ScratchDatabase;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetSourceTest {
  @TempDir Path temp;
  private Path in;
  private Path scratch;

  @BeforeEach
  void makeDirectories() throws Exception {
    in = Files.createDirectories(temp.resolve("in"));
    scratch = Files.createDirectories(temp.resolve("scratch"));
  }

  private void write(String name, String select, long second) throws Exception {
    Path file = in.resolve(name);
    Files.createDirectories(file.getParent());
    try (ScratchDatabase db = new ScratchDatabase(temp)) {
      db.execute("COPY (" + select + ") TO '" + file + "' (FORMAT parquet)");
    }
    FileSourceHarness.modified(file, second);
  }

  private FileSourceHarness source(Schema declared, String... options) {
    Map<String, String> all = new HashMap<>(Map.of("path", in.toString()));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new FileSourceHarness(scratch, FileFormat.PARQUET, declared, all);
  }

  private static void assertMalformed(String text, FileSourceHarness source) {
    assertThatThrownBy(() -> source.rows("SELECT * FROM t"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_RECORD);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void columnsAreTakenFromTheFilesIfNoneAreDeclared() throws Exception {
    write("a.parquet", "SELECT 1 AS a, 1.50::DECIMAL(18,2) AS b, [1] AS c", 1);
    FileSourceHarness source = source(Schema.EMPTY);
    assertThat(source.rawSchema())
        .isEqualTo(
            Schema.of(
                "a",
                "INTEGER",
                "b",
                "DECIMAL(18,2)",
                "c",
                "INTEGER[]",
                "_file",
                "VARCHAR",
                "_line",
                "BIGINT",
                "_modified",
                "TIMESTAMP"));
    assertThat(source.rows("SELECT a, b, c, _line FROM t")).containsExactly("1|1.50|[1]|1");
  }

  @Test
  void inferredColumnsStayWhenTheFirstFileIsGone() throws Exception {
    write("a.parquet", "SELECT 1 AS a", 1);
    FileSourceHarness source = source(Schema.EMPTY);
    Files.delete(in.resolve("a.parquet"));
    assertThat(source.rawSchema().find("a")).isPresent();
  }

  @Test
  void withoutColumnsAndWithoutFilesThereIsNothingToInfer() {
    assertThatThrownBy(() -> source(Schema.EMPTY))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_MISSING));
  }

  @Test
  void valuesThatFitTheDeclaredTypesAreConverted() throws Exception {
    write(
        "a.parquet",
        "SELECT 5::BIGINT AS i, 2.0::DOUBLE AS d, 1.5::DECIMAL(4,1) AS p,"
            + " DATE '2024-01-02' AS t, {'x': 1::SMALLINT} AS s",
        1);
    FileSourceHarness source =
        source(
            Schema.of(
                "s",
                "STRUCT(x BIGINT)",
                "i",
                "INTEGER",
                "d",
                "INTEGER",
                "p",
                "DECIMAL(18,2)",
                "t",
                "TIMESTAMP"));
    assertThat(source.rows("SELECT s, i, d, p, t FROM t"))
        .containsExactly("{'x': 1}|5|2|1.50|2024-01-02 00:00:00.0");
  }

  @Test
  void valuesThatWouldChangeAreAnErrorNotRounded() throws Exception {
    write("a.parquet", "SELECT 4.7::DOUBLE AS v", 1);
    assertMalformed("column v does not fit INTEGER", source(Schema.of("v", "INTEGER")));
  }

  @Test
  void valuesOutOfRangeAreAnError() throws Exception {
    write("a.parquet", "SELECT 3000000000 AS v", 1);
    assertMalformed("does not fit", source(Schema.of("v", "INTEGER")));
  }

  @Test
  void textIsNotConverted() throws Exception {
    write("a.parquet", "SELECT '12' AS v", 1);
    assertMalformed("of another type than declared", source(Schema.of("v", "INTEGER")));
  }

  @Test
  void aDeclaredColumnThatAFileLacksIsAnErrorUnlessNullsAreWanted() throws Exception {
    write("a.parquet", "SELECT 1 AS amout", 1);
    assertMalformed("Did you mean 'amout'?", source(Schema.of("amount", "INTEGER")));
    assertThat(
            source(Schema.of("amount", "INTEGER"), "missingColumns", "null")
                .rows("SELECT amount, typeof(amount) FROM t"))
        .containsExactly("null|INTEGER");
  }

  @Test
  void directoriesGivePartitionColumns() throws Exception {
    write("d=2024-01-01/a.parquet", "SELECT 1 AS a", 1);
    write("d=2024-01-02/b.parquet", "SELECT 2 AS a", 2);
    assertThat(source(Schema.EMPTY).rows("SELECT a, d, typeof(d) FROM t"))
        .containsExactly("1|2024-01-01|VARCHAR", "2|2024-01-02|VARCHAR");
    assertThat(source(Schema.of("d", "DATE", "a", "BIGINT")).rows("SELECT a, d, typeof(d) FROM t"))
        .containsExactly("1|2024-01-01|DATE", "2|2024-01-02|DATE");
  }

  @Test
  void rowsKeepTheirOrderAndNumber() throws Exception {
    write("a.parquet", "SELECT i FROM range(300000) r(i)", 1);
    FileSourceHarness source = source(Schema.of("i", "BIGINT"));
    assertThat(source.rows("SELECT count(*), bool_and(i + 1 = _line), bool_and(i = rowid) FROM t"))
        .containsExactly("300000|true|true");
  }

  @Test
  void filesOfOneSizeAndTimeAreToldApart() throws Exception {
    for (int i = 0; i < 5; i++) {
      write("f" + i + ".parquet", "SELECT " + i + " AS a", 1);
    }
    assertThat(source(Schema.of("a", "INTEGER")).rows("SELECT a FROM t"))
        .containsExactly("0", "1", "2", "3", "4");
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    write("a.parquet", "SELECT 1 AS a", 1);
    Files.writeString(in.resolve("b.parquet"), "no parquet");
    assertMalformed("b.parquet", source(Schema.of("a", "INTEGER")));
  }

  @Test
  void scratchIsLeftEmptyAndTheSourceUntouched() throws Exception {
    write("a.parquet", "SELECT 1 AS a", 1);
    source(Schema.of("a", "INTEGER")).rows("SELECT a FROM t", Set.of("a"));
    assertThat(scratch).isEmptyDirectory();
    assertThat(in.resolve("a.parquet")).exists();
  }
}

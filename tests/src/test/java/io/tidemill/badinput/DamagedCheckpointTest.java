package io.tidemill.badinput;

import static io.tidemill.badinput.Complaint.assertThatIt;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.process.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DamagedCheckpointTest {
  private static final int BATCHES_FOR_A_HISTORY_BLOB = 40;

  @TempDir Path directory;
  private OrdersJob job;
  private Slots slots;

  @BeforeEach
  void runSomeBatches() {
    job = new OrdersJob(directory);
    job.add(4);
    assertThat(job.run().code()).isZero();
    slots = new Slots(job.checkpoint());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sum(amount) AS r      | max(amount) AS r      | the job has 'aggregate by | max(",
        "INTERVAL 5 MINUTES    | INTERVAL 6 MINUTES    | the job has 'aggregate by | evicted by",
        "path = '${DIR}/out'   | path = '${DIR}/out', mode = 'update'"
            + " | the job has 'update' | the checkpoint has 'append'",
        "TUMBLE(orders         | TUMBLE(other          | stream other | stream orders",
        "event_time - INTERVAL | event_time - INTERVAL | - | -",
      })
  void checkpointOfAnotherQuerySaysWhatDiffers(
      String part, String other, String says, String andSays) {
    job.add(1);
    if (says.equals("-")) {
      job.with(part, other).goesOnWell();
      return;
    }
    job.with("orders (", other.contains("other") ? "other (" : "orders (");
    job.with(part, other);
    if (other.contains("update")) {
      job.with("'parquet'", "'console'").with("path = '${DIR}/out', ", "");
    }
    assertThatIt(job.run(), 3, "checkpoint: " + job.checkpoint(), says, andSays);
    job.goesOnWell();
  }

  @Test
  void settingThatCannotChangeUnderACheckpointIsNamed() {
    job.add(1);
    job.with("SET checkpoint", "SET watermarkPolicy = 'max';\nSET checkpoint");
    assertThatIt(job.run(), 3, "watermarkPolicy");
    job.goesOnWell();
  }

  @Test
  void outputOfAnotherCheckpointIsNotAddedTo() {
    job.add(1);
    job.with("${DIR}/checkpoint", "${DIR}/new");
    assertThatIt(job.run(), 3, directory.resolve("out").toString());
    job.goesOnWell();
  }

  @Test
  void newerFormatOfTheHeadIsRefused() throws IOException {
    byte[] kept = Files.readAllBytes(slots.newest());
    slots.rewrite(text -> text.replaceFirst("\"format\":1", "\"format\":2"));
    assertRefused(3, "newer version", "format: 2");
    Files.write(slots.newest(), kept);

    slots.rewrite(
        text -> text.replace("\"kind\":\"head\",\"format\":1", "\"kind\":\"head\",\"format\":7"));
    assertRefused(3, "newer version", "format: 7");
    Files.write(slots.newest(), kept);
    job.goesOnWell();
  }

  @ParameterizedTest
  @CsvSource({
    "head, true",
    "head, false",
    "state, true",
    "state, false",
    "sources, true",
    "sources, false"
  })
  void damageIsFoundAndUndoneByRestoringTheObject(String area, boolean truncated)
      throws IOException {
    damageAndRestore(job.last(area), truncated);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void damagedTaskRecordIsFoundWhenItsBatchIsRunAgain(boolean truncated) throws IOException {
    dieBeforeTheLastCommit();
    damageAndRestore(job.last("tasks"), truncated);
  }

  @Test
  void damagedStateIsFoundWhenABatchIsRunAgain() throws IOException {
    dieBeforeTheLastCommit();
    Files.delete(job.last("tasks"));
    damageAndRestore(job.last("state"), false);
  }

  @Test
  void missingStateFileIsNamed() throws IOException {
    Path file = job.last("state");
    byte[] kept = Files.readAllBytes(file);
    Files.delete(file);
    assertRefused(3, "missing", key(file));
    Files.createDirectories(file.getParent());
    Files.write(file, kept);
    job.goesOnWell();
  }

  @Test
  void damagedHistoryIsFoundByThoseWhoLookAtIt() throws IOException {
    job.add(BATCHES_FOR_A_HISTORY_BLOB);
    assertThat(job.run().code()).isZero();
    Path blob = job.last("history");
    byte[] kept = flipByte(blob);

    Outcome shown = Outcome.of("checkpoint", "show", job.checkpoint().toString());
    assertThatIt(shown, 3, "damaged", key(blob));
    job.add(1);
    job.goesOnWell();
    Files.write(blob, kept);
    shown = Outcome.of("checkpoint", "show", job.checkpoint().toString());
    assertThat(shown.code()).as(shown.all()).isZero();
  }

  @Test
  void stateOfAnotherLibraryLayoutIsRefused() throws Exception {
    Path file = job.last("state");
    byte[] kept = Files.readAllBytes(file);
    Path slot = slots.newest();
    byte[] keptSlot = Files.readAllBytes(slot);
    String before = reference(file);
    rewriteWithOtherHash(file);
    slots.rewrite(text -> text.replace(before, reference(file)));

    assertRefused(3, "library version", key(file));
    Files.write(file, kept);
    slots.forgetUntil(slot);
    Files.write(slot, keptSlot);
    job.goesOnWell();
  }

  /** Takes back the end and the commit of the last batch; its record and its files stay. */
  private void dieBeforeTheLastCommit() throws IOException {
    slots.forget(2);
    slots.rewrite(text -> text.replaceFirst("\"expiresAtMillis\":\\d+", "\"expiresAtMillis\":0"));
  }

  private void damageAndRestore(Path object, boolean truncated) throws IOException {
    byte[] kept = truncated ? truncate(object) : flipByte(object);
    assertRefused(3, key(object));
    Files.write(object, kept);
    job.goesOnWell();
  }

  private void assertRefused(int code, String... says) {
    job.add(1);
    assertThatIt(job.run(), code, says);
  }

  private String key(Path object) {
    return job.checkpoint().relativize(object).toString();
  }

  private static byte[] truncate(Path file) throws IOException {
    byte[] kept = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(kept, kept.length / 2));
    return kept;
  }

  private static byte[] flipByte(Path file) throws IOException {
    byte[] kept = Files.readAllBytes(file);
    byte[] damaged = kept.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(file, damaged);
    return kept;
  }

  /** How a head names a file's content. */
  private static String reference(Path file) {
    try {
      return "\"bytes\":"
          + Files.size(file)
          + ",\"checksum\":"
          + io.tidemill.storage.Checksum.of(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void rewriteWithOtherHash(Path file) throws Exception {
    Path copy = directory.resolve("other.parquet");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SET VARIABLE layout = (SELECT decode(value) FROM parquet_kv_metadata('"
              + file
              + "') WHERE decode(key) = 'tidemill.state.layout')");
      statement.execute(
          "COPY (FROM read_parquet('"
              + file
              + "')) TO '"
              + copy
              + "' (FORMAT parquet, KV_METADATA {'tidemill.state.format': '1',"
              + " 'tidemill.state.duckdb': 'v9', 'tidemill.state.layout': getvariable('layout'),"
              + " 'tidemill.state.hash': 'other'})");
    }
    Files.write(file, Files.readAllBytes(copy));
  }
}

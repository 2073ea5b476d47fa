package io.tidemill.connectors.file;

import static io.tidemill.connectors.file.FileSourceHarness.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.connectors.Source;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.source.SourcePosition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileSourceTest {
  private static final Schema DECLARED = Schema.of("k", "VARCHAR");

  @TempDir Path temp;
  private Path in;

  @BeforeEach
  void makeDirectory() throws Exception {
    in = Files.createDirectories(temp.resolve("in"));
  }

  private FileSourceHarness json(String... optionsAndValues) {
    Map<String, String> options = new HashMap<>(Map.of("path", in.toString()));
    for (int i = 0; i < optionsAndValues.length; i += 2) {
      options.put(optionsAndValues[i], optionsAndValues[i + 1]);
    }
    return new FileSourceHarness(temp, FileFormat.JSON, DECLARED, options);
  }

  @Test
  void filesAreReadOldestFirstThenByPath() {
    write(in.resolve("c"), "{}", 1);
    write(in.resolve("b"), "{}", 2);
    write(in.resolve("a"), "{}", 2);
    assertThat(json().batch()).containsExactly("c", "a", "b");
  }

  @Test
  void latestFirstReadsTheNewestFirst() {
    write(in.resolve("a"), "{}", 1);
    write(in.resolve("b"), "{}", 2);
    FileSourceHarness source = json("latestFirst", "true", "maxFilesPerTrigger", "1");
    assertThat(source.batch()).containsExactly("b");
    assertThat(source.batch()).containsExactly("a");
  }

  @Test
  void aBatchHasNoMoreFilesThanAllowed() {
    for (int i = 0; i < 5; i++) {
      write(in.resolve("f" + i), "{}", i);
    }
    FileSourceHarness source = json("maxFilesPerTrigger", "2");
    assertThat(source.batch()).containsExactly("f0", "f1");
    assertThat(source.batch()).containsExactly("f2", "f3");
    assertThat(source.batch()).containsExactly("f4");
    assertThat(source.batch()).isEmpty();
  }

  @Test
  void bytesAreASoftLimitWithAtLeastOneFile() {
    write(in.resolve("big"), "x".repeat(500), 0);
    write(in.resolve("small1"), "x".repeat(60), 1);
    write(in.resolve("small2"), "x".repeat(40), 2);
    write(in.resolve("small3"), "x".repeat(10), 3);
    FileSourceHarness source = json("maxBytesPerTrigger", "100");
    assertThat(source.batch()).containsExactly("big");
    assertThat(source.batch()).containsExactly("small1", "small2");
    assertThat(source.batch()).containsExactly("small3");
  }

  @Test
  void triggerOnceIgnoresLimits() {
    write(in.resolve("a"), "{}", 1);
    write(in.resolve("b"), "{}", 2);
    FileSourceHarness source = json("maxFilesPerTrigger", "1");
    assertThat(source.batch(source.source().latest(source.position), false))
        .containsExactly("a", "b");
  }

  @Test
  void nothingNewLeavesThePositionAsItIs() {
    write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json();
    source.batch();
    SourcePosition before = source.position;
    assertThat(source.batch()).isEmpty();
    assertThat(source.position).isEqualTo(before);
  }

  @Test
  void filesThatAreAllReadAreKnownByTheirListingWithoutANote() {
    write(in.resolve("a"), "{}", 1);
    write(in.resolve("b"), "{}", 2);
    FileSourceHarness source = json("maxFilesPerTrigger", "1");
    source.batch();
    source.restart();
    int before = source.log.reads();
    assertThat(source.batch()).containsExactly("b");
    assertThat(source.log.reads()).isGreaterThan(before);

    source.restart();
    int read = source.log.reads();
    SourcePosition latest = source.source().latest(source.position);
    assertThat(source.source().plan(source.position, latest, true, 0).splits()).isEmpty();
    assertThat(source.log.reads()).isEqualTo(read);

    write(in.resolve("c"), "{}", 3);
    assertThat(source.batch()).containsExactly("c");
  }

  @Test
  void aFileRewrittenAfterItWasReadIsNotReadAgain() {
    write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json();
    source.batch();
    write(in.resolve("a"), "{\"k\":\"new\"}", 100);
    assertThat(source.batch()).isEmpty();
    source.restart();
    assertThat(source.batch()).isEmpty();
  }

  @Test
  void availableNowReadsWhatWasThereAtItsStart() {
    write(in.resolve("a"), "{}", 1);
    write(in.resolve("b"), "{}", 2);
    FileSourceHarness source = json("maxFilesPerTrigger", "1");
    SourcePosition ceiling = source.source().latest(source.position);
    assertThat(source.batch(ceiling, true)).containsExactly("a");
    write(in.resolve("a2"), "{}", 1);
    assertThat(source.batch(ceiling, true)).containsExactly("b");
    assertThat(source.batch(ceiling, true)).isEmpty();
    assertThat(source.batch()).containsExactly("a2");
  }

  @Test
  void aListingOfAnotherInstanceStillBoundsABatch() {
    write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json();
    SourcePosition ceiling = source.source().latest(source.position);
    write(in.resolve("b"), "{}", 5);
    source.restart();
    assertThat(source.batch(ceiling, true)).containsExactly("a");
  }

  @Test
  void filesMuchOlderThanTheNewestReadAreLeftOut() {
    write(in.resolve("new"), "{}", 1000);
    FileSourceHarness source = json("maxFileAge", "100s");
    source.batch();
    write(in.resolve("tooOld"), "{}", 899);
    write(in.resolve("oldEnough"), "{}", 900);
    assertThat(source.batch()).containsExactly("oldEnough");
  }

  @Test
  void latestFirstWithALimitReadsFilesOfAnyAge() {
    write(in.resolve("new"), "{}", 1000);
    write(in.resolve("old"), "{}", 0);
    FileSourceHarness source =
        json("maxFileAge", "100s", "latestFirst", "true", "maxFilesPerTrigger", "1");
    assertThat(source.batch()).containsExactly("new");
    assertThat(source.batch()).containsExactly("old");
  }

  @Test
  void manyBatchesLeaveASmallPositionAndForgetNothing() {
    FileSourceHarness source = json();
    for (int i = 0; i < 35; i++) {
      write(in.resolve("f" + i), "{}", i);
      assertThat(source.batch()).containsExactly("f" + i);
    }
    FilePosition position = FilePosition.of(source.position);
    assertThat(position.logOffset()).isEqualTo(34);
    assertThat(position.newest()).isEqualTo(FileSourceHarness.T0 + 34_000);
    assertThat(position.notes()).hasSizeLessThan(SeenFiles.COMPACT_EVERY);
    source.restart();
    assertThat(source.batch()).isEmpty();
  }

  @Test
  void notesReplacedLongAgoAreRemoved() {
    FileSourceHarness source = json();
    for (int i = 0; i < 130; i++) {
      write(in.resolve("f" + i), "{}", i);
      source.batch();
    }
    // 130 notes were written; those replaced by bases up to batch 29 are gone.
    assertThat(source.log.size()).isBetween(95, 110);
    source.restart();
    assertThat(source.batch()).isEmpty();
  }

  @Test
  void aPlanThatIsAbandonedChangesNothing() {
    write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json();
    SourcePosition latest = source.source().latest(source.position);
    Source.Range abandoned = source.source().plan(source.position, latest, true, 0);
    assertThat(FileSourceHarness.names(abandoned)).containsExactly("a");
    source.restart();
    assertThat(source.batch()).containsExactly("a");
  }

  @Test
  void notesOfAbandonedPlansAreRemovedOnceABatchHasPassedThem() {
    write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json();
    source.source().plan(source.position, source.source().latest(source.position), true, 0);
    assertThat(source.batch()).containsExactly("a");
    assertThat(source.log.size()).as("the note of the batch").isEqualTo(1);

    write(in.resolve("b"), "{}", 2);
    source.source().plan(source.position, source.source().latest(source.position), true, 0);
    source.source().committed(source.position);
    source.restart();
    source.source().committed(source.position);
    assertThat(source.log.size()).as("a plan may still be committed").isEqualTo(2);
    assertThat(source.batch()).containsExactly("b");
    source.restart();
    source.source().committed(source.position);
    assertThat(source.log.size()).isEqualTo(2);
    assertThat(source.batch()).isEmpty();
  }

  @Test
  void fileNameOnlyTakesFilesOfOneNameForOne() {
    write(in.resolve("d=1/x"), "{}", 2);
    write(in.resolve("d=2/x"), "{}", 1);
    write(in.resolve("d=2/y"), "{}", 3);
    FileSourceHarness source = json("fileNameOnly", "true");
    assertThat(source.batch()).containsExactly("x", "y");
    assertThat(source.batch()).isEmpty();
  }

  @Test
  void filesStillBeingWrittenAreIgnored() {
    write(in.resolve("_tmp.json"), "{}", 1);
    write(in.resolve(".hidden"), "{}", 1);
    write(in.resolve("_temporary/a"), "{}", 1);
    write(in.resolve("a._COPYING_"), "{}", 1);
    write(in.resolve("good"), "{}", 1);
    assertThat(json("recursiveFileLookup", "true").batch()).containsExactly("good");
  }

  @Test
  void directoriesBelowCountOnlyIfTheyArePartitionsOrLookupIsRecursive() {
    write(in.resolve("a"), "{}", 1);
    write(in.resolve("sub/b"), "{}", 2);
    write(in.resolve("p=1/c"), "{}", 3);
    assertThat(json("partitionBy", "").batch()).containsExactly("a", "c");
    assertThat(json("recursiveFileLookup", "true").batch()).containsExactly("a", "b", "c");
  }

  @Test
  void globsSelectFilesAndDirectories() {
    write(in.resolve("x1/a.json"), "{}", 1);
    write(in.resolve("x2/b.json"), "{}", 2);
    write(in.resolve("y/c.json"), "{}", 3);
    write(in.resolve("x2/d.txt"), "{}", 4);
    assertThat(json("path", in + "/x*/*.json").batch()).containsExactly("a.json", "b.json");
    assertThat(json("path", in + "/{x1,y}").batch()).containsExactly("a.json", "c.json");
    assertThat(json("path", in + "/**/*.json").batch())
        .containsExactly("a.json", "b.json", "c.json");
    assertThat(json("path", in + "/x2", "pathGlobFilter", "*.txt").batch())
        .containsExactly("d.txt");
  }

  @Test
  void aSingleFileIsAPathToo() {
    Path file = write(in.resolve("a.json"), "{}", 1);
    assertThat(json("path", file.toString()).batch()).containsExactly("a.json");
  }

  @Test
  void aMissingPathIsAnErrorButAGlobWithoutMatchesIsNot() {
    assertThatThrownBy(() -> json("path", in + "/nowhere").batch())
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_MISSING);
              assertThat(e.getMessage()).contains("nowhere");
            });
    assertThat(json("path", in + "/nowhere/*.json").batch()).isEmpty();
  }

  @Test
  void filesAreGroupedIntoSplitsBySize() throws Exception {
    for (int i = 0; i < 3; i++) {
      Path file = in.resolve("f" + i);
      try (var f = new java.io.RandomAccessFile(file.toFile(), "rw")) {
        f.setLength(FileSplit.TARGET_BYTES / 2);
      }
      FileSourceHarness.modified(file, i);
    }
    FileSourceHarness source = json();
    Source.Range range =
        source.source().plan(source.position, source.source().latest(source.position), true, 0);
    assertThat(range.splits()).hasSize(2);
    assertThat(range.rowsEstimate())
        .isEqualTo(range.splits().stream().mapToLong(s -> s.estimatedRows()).sum());
  }

  @Test
  void progressTellsWhatIsOutstanding() {
    write(in.resolve("a"), "12345", 1);
    write(in.resolve("b"), "123", 2);
    FileSourceHarness source = json("maxFilesPerTrigger", "1");
    SourcePosition latest = source.source().latest(source.position);
    source.batch(latest, true);
    assertThat(source.source().metrics(source.position, latest))
        .containsEntry("numFilesOutstanding", "1")
        .containsEntry("numBytesOutstanding", "3");
  }

  @Test
  void bothLimitsTogetherAreRefused() {
    assertInvalid("not both", "maxFilesPerTrigger", "1", "maxBytesPerTrigger", "1");
  }

  @Test
  void unknownOptionsNameTheNearestKnownOne() {
    assertThatThrownBy(() -> json("maxFilePerTrigger", "1"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OPTION);
              assertThat(e.getMessage()).contains("maxFilesPerTrigger");
            });
  }

  @Test
  void otherStoresAreRefusedUntilTheyAreSupported() {
    assertThatThrownBy(() -> json("path", "s3://bucket/x"))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNSUPPORTED));
  }

  private void assertInvalid(String text, String... options) {
    assertThatThrownBy(() -> json(options))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION);
              assertThat(e.getMessage()).contains(text);
            });
  }

  @Test
  void outputOfAFileSinkIsReadByItsManifests() {
    write(in.resolve("published.json"), "{}", 1);
    write(in.resolve("leftover.json"), "{}", 2);
    write(
        in.resolve("_tidemill/manifest/0-0000000000-abc.json"),
        "{\"query\":\"q\",\"timeline\":0,\"batch\":0,\"files\":"
            + "[{\"name\":\"published.json\",\"rows\":1,\"bytes\":2}]}",
        3);
    FileSourceHarness source = json();
    assertThat(source.batch()).containsExactly("published.json");
    assertThatThrownBy(() -> json("cleanSource", "delete"))
        .hasMessageContaining("output of a file sink");
  }

  @Test
  void aPositionOfAnotherConnectorIsRefused() {
    FileSourceHarness source = json();
    assertThatThrownBy(
            () ->
                source
                    .source()
                    .plan(
                        new SourcePosition(io.tidemill.protocol.Json.tree(Map.of("t", 1))),
                        source.source().latest(source.position),
                        true,
                        0))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.CHECKPOINT_MISMATCH));
  }

  @Test
  void descriptionsNameFormatAndPath() {
    assertThat(json().source().description()).isEqualTo("json[" + in + "]");
    assertThat(List.of(FileFormat.values())).hasSize(4);
  }
}

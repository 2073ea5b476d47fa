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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCleanUpTest {
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
  void readFilesAreDeletedAfterTheCommitNotBefore() {
    Path a = write(in.resolve("a"), "{}", 1);
    Path b = write(in.resolve("b"), "{}", 2);
    FileSourceHarness source = json("cleanSource", "delete", "maxFilesPerTrigger", "1");
    SourcePosition latest = source.source().latest(source.position);
    Source.Range range = source.source().plan(source.position, latest, true, 0);
    assertThat(a).exists();
    source.source().committed(range.end());
    assertThat(a).doesNotExist();
    assertThat(b).exists();
    source.source().committed(range.end());
    assertThat(b).exists();
  }

  @Test
  void cleanUpMissedByACrashIsMadeUpForLater() {
    Path a = write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json("cleanSource", "delete");
    Source.Range range =
        source.source().plan(source.position, source.source().latest(source.position), true, 0);
    source.restart();
    source.source().committed(range.end());
    assertThat(a).doesNotExist();
  }

  @Test
  void aFileWrittenAnewUnderAReadPathIsNotDeleted() {
    Path a = write(in.resolve("a"), "{}", 1);
    FileSourceHarness source = json("cleanSource", "delete");
    source.batch();
    assertThat(a).doesNotExist();
    write(a, "{\"k\":\"unread\"}", 50);
    write(in.resolve("b"), "{}", 51);
    assertThat(source.batch()).containsExactly("b");
    assertThat(a).exists();
  }

  @Test
  void readFilesAreArchivedUnderTheirWholePath() {
    Path a = write(in.resolve("d=1/a"), "{}", 1);
    Path archive = temp.resolve("archive");
    FileSourceHarness source =
        json("cleanSource", "archive", "sourceArchiveDir", archive.toString());
    source.batch();
    assertThat(a).doesNotExist();
    assertThat(archive.resolve(a.getRoot().relativize(a))).exists();
  }

  @Test
  void anArchiveInsideTheSourceIsRefused() {
    assertInvalid(
        "outside", "cleanSource", "archive", "sourceArchiveDir", in.resolve("old").toString());
    assertInvalid("needs the option 'sourceArchiveDir'", "cleanSource", "archive");
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
}

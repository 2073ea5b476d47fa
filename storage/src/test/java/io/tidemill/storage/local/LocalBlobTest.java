package io.tidemill.storage.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Blob;
import io.tidemill.storage.CountedIds;
import io.tidemill.storage.FolderBlobContract;
import io.tidemill.storage.Locations;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LocalBlobTest extends FolderBlobContract {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final CountedIds handles = new CountedIds("handle");

  @Override
  protected Blob open() {
    return open(directory.resolve("store"));
  }

  private LocalBlob open(Path root) {
    CountedIds ids = new CountedIds(handles.next());
    return new LocalBlob(root, ids, InstantSource.fixed(NOW), Durability.SYNC);
  }

  private Path staging() {
    return directory.resolve("store/.tmp");
  }

  @Test
  void objectIsAFileOfItsKey() throws IOException {
    Blob blob = open();
    blob.putIfAbsent("a/b", "content".getBytes(UTF_8));
    assertThat(directory.resolve("store/a/b")).hasContent("content");
    assertThat(blob.localFile("a/b")).contains(directory.resolve("store/a/b"));
    assertThat(staging()).isEmptyDirectory();
  }

  @Test
  void readingCreatesNothing() {
    Blob blob = open();
    assertThat(blob.get("a")).isEmpty();
    assertThat(blob.list("", "", 10)).isEmpty();
    blob.delete("a");
    assertThat(directory.resolve("store")).doesNotExist();
  }

  @Test
  void filesBeingWrittenAreNeverListed() throws IOException {
    Blob blob = open();
    blob.putIfAbsent("a", new byte[1]);
    Files.writeString(staging().resolve("half"), "x");
    assertThat(blob.list("", "", 10)).containsExactly("a");
    assertThat(blob.list(".", "", 10)).isEmpty();
  }

  @Test
  void leftOversOfDeadProcessesAreRemovedOnceTheyAreOld() throws IOException {
    Path old = Files.createDirectories(staging()).resolve("old");
    Path recent = staging().resolve("recent");
    Files.writeString(old, "x");
    Files.writeString(recent, "x");
    Instant limit = NOW.minus(Staging.ABANDONED_AFTER);
    Files.setLastModifiedTime(old, FileTime.from(limit.minusSeconds(1)));
    Files.setLastModifiedTime(recent, FileTime.from(limit.plusSeconds(1)));
    open().putIfAbsent("a", new byte[1]);
    assertThat(old).doesNotExist();
    assertThat(recent).exists();
  }

  @Test
  void deletionRemovesFoldersThatBecomeEmpty() throws IOException {
    Blob blob = open();
    blob.putIfAbsent("a/b/c", new byte[1]);
    blob.putIfAbsent("a/d", new byte[1]);
    blob.delete("a/b/c");
    try (Stream<Path> names = Files.list(directory.resolve("store/a"))) {
      assertThat(names.map(p -> p.getFileName().toString())).containsExactly("d");
    }
  }

  @Test
  void directoryThatCannotBeWrittenIsNamed() throws IOException {
    Path occupied = Files.writeString(directory.resolve("occupied"), "a file");
    Path root = occupied.resolve("store");
    assertThatThrownBy(() -> open(root).putIfAbsent("a", new byte[1]))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
              assertThat(e.getMessage()).contains(root.toString());
            });
    Path given = file("kept");
    assertThatThrownBy(() -> open(root).putFileIfAbsent("a", given))
        .isInstanceOf(TidemillException.class);
    assertThat(given).hasContent("kept");
  }

  /** Half a pair of code units has no name in UTF-8, as no letter beyond ASCII has in ASCII. */
  @Test
  void aNameTheLocaleCannotWriteIsNamedWithWhatToDo() {
    Blob blob = open();
    String key = "b=\uD83C/x";
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> blob.putIfAbsent(key, new byte[1]),
            () -> blob.get(key),
            () -> blob.list(key + "/", "", 10))) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              TidemillException.class,
              e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
                assertThat(e.text()).contains("LC_ALL=C.UTF-8");
                assertThat(e.fields()).containsEntry("location", directory.resolve("store"));
              });
    }
    assertThatThrownBy(() -> Locations.path("/tmp/" + key))
        .isInstanceOfSatisfying(
            TidemillException.class, e -> assertThat(e.text()).contains("LC_ALL=C.UTF-8"));
  }

  @Test
  void fullDiskAndMissingPermissionAreToldApart() {
    IOException full = new IOException("No space left on device");
    IOException denied = new AccessDeniedException("store/a");
    assertThat(Failures.write(directory, "a", full).code()).isEqualTo(ErrorCode.STORAGE_FULL);
    TidemillException other = Failures.write(directory, "a", denied);
    assertThat(other.code()).isEqualTo(ErrorCode.NOT_WRITABLE);
    assertThat(other.text()).contains("cannot be written");
    assertThat(other.fields()).containsEntry("location", directory);
  }
}

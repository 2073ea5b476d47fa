package io.tidemill.storage;

import static io.tidemill.storage.Blob.PutOutcome.COMMITTED;
import static io.tidemill.storage.Blob.PutOutcome.CONFLICT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a {@link Blob} reports while the storage below it works. */
public abstract class ExactBlobContract extends BlobContract {
  @Test
  void outcomesOfWritesAreTrue() {
    Blob blob = open();
    assertThat(blob.putIfAbsent("a", new byte[1])).isEqualTo(COMMITTED);
    assertThat(blob.putIfAbsent("a", new byte[1])).isEqualTo(CONFLICT);
    assertThat(blob.copyIfAbsent("a", "b")).isEqualTo(COMMITTED);
    assertThat(blob.copyIfAbsent("a", "b")).isEqualTo(CONFLICT);
  }

  @Test
  void givenFileIsGoneOnlyIfItBecameTheObject() throws IOException {
    Blob blob = open();
    Path first = file("first");
    Path second = file("second");
    assertThat(blob.putFileIfAbsent("a", first)).isEqualTo(COMMITTED);
    assertThat(blob.putFileIfAbsent("a", second)).isEqualTo(CONFLICT);
    assertThat(first).doesNotExist();
    assertThat(second).hasContent("second");
    assertThat(content(blob, "a")).contains("first");
  }

  @Test
  void keysThatLeaveTheStoreAreRefused() {
    Blob blob = open();
    String tooLong = "x".repeat(Keys.PART_BYTES_MAX + 1);
    for (String key :
        List.of("", "/a", "a/", "a//b", "..", "a/../b", "./a", "a\\b", "a\nb", ".tmp/a", tooLong)) {
      assertThatThrownBy(() -> blob.putIfAbsent(key, new byte[1]))
          .as(key)
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> blob.get(key)).as(key).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void copyOfAMissingObjectIsAnError() {
    Blob blob = open();
    assertThatThrownBy(() -> blob.copyIfAbsent("missing", "to"))
        .isInstanceOfSatisfying(
            TidemillException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
              assertThat(e.fields()).containsEntry("key", "missing");
            });
    assertThat(blob.get("to")).isEmpty();
  }
}

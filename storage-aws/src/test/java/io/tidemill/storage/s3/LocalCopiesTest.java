package io.tidemill.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCopiesTest {
  @TempDir private Path directory;

  private Instant now = Instant.parse("2026-03-01T00:00:00Z");

  private Path get(LocalCopies copies, String key) {
    return copies.get(key, LocalCopiesTest::write).orElseThrow();
  }

  private static boolean write(Path target) {
    try {
      Files.write(target, new byte[100]);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void copiesUsedLongestAgoGoWhenThereIsTooMuch() {
    LocalCopies copies = new LocalCopies(directory, 250, () -> now);
    Path a = get(copies, "a");
    Path b = get(copies, "b");
    now = now.plus(LocalCopies.IN_USE).plusSeconds(1);
    assertThat(get(copies, "a")).isEqualTo(a);
    Path c = get(copies, "c");
    assertThat(a).exists();
    assertThat(b).doesNotExist();
    assertThat(c).exists();
  }

  @Test
  void copiesThatMayStillBeReadStay() {
    LocalCopies copies = new LocalCopies(directory, 150, () -> now);
    Path a = get(copies, "a");
    now = now.plus(LocalCopies.IN_USE).minusSeconds(1);
    get(copies, "b");
    assertThat(a).exists();
  }

  @Test
  void aMissingObjectHasNoCopy() {
    LocalCopies copies = new LocalCopies(directory, 150, () -> now);
    assertThat(copies.get("a", target -> false)).isEmpty();
    assertThat(copies.get("a", LocalCopiesTest::write)).isPresent();
    copies.forget("a");
    assertThat(copies.get("a", target -> false)).isEmpty();
  }
}

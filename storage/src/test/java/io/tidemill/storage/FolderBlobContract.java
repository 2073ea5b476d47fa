package io.tidemill.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** What a {@link Blob} with folders adds: it refuses a key that is the folder of another. */
public abstract class FolderBlobContract extends ExactBlobContract {
  @Test
  void noKeyIsAFolderOfAnother() {
    Blob blob = open();
    blob.putIfAbsent("a", new byte[1]);
    blob.putIfAbsent("b/c", new byte[1]);
    assertThatThrownBy(() -> blob.putIfAbsent("a/b", new byte[1]))
        .isInstanceOf(RuntimeException.class);
    assertThat(blob.list("", "", 10)).containsExactly("a", "b/c");
  }
}

package io.tidemill.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class StoredJsonTest {
  private static final byte[] STORED = StoredJson.write("head", new Lease("ö", 12));

  @Test
  void whatIsWrittenIsReadBack() {
    assertThat(StoredJson.read("head", STORED, Lease.class, "here")).isEqualTo(new Lease("ö", 12));
  }

  @Test
  void anyChangedBitIsDamage() {
    for (int at = 0; at < STORED.length; at++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] changed = STORED.clone();
        changed[at] ^= (byte) (1 << bit);
        assertFails(
            () -> StoredJson.read("head", changed, Lease.class, "here"),
            ErrorCode.CHECKPOINT_CORRUPT);
      }
    }
  }

  @Test
  void anyTruncationIsDamage() {
    for (int length = 0; length < STORED.length; length++) {
      byte[] cut = Arrays.copyOf(STORED, length);
      assertFails(
          () -> StoredJson.read("head", cut, Lease.class, "here"), ErrorCode.CHECKPOINT_CORRUPT);
    }
  }

  @Test
  void aNewerFormatIsToldFromDamage() {
    byte[] newer = StoredJson.write("head", 2, Json.bytes(Map.of("shape", "unknown")));
    assertFails(
        () -> StoredJson.read("head", newer, Lease.class, "here"), ErrorCode.CHECKPOINT_NEWER);
  }

  @Test
  void anotherKindOfObjectIsRefused() {
    byte[] other = StoredJson.write("task", new Lease("a", 1));
    assertFails(
        () -> StoredJson.read("head", other, Lease.class, "here"), ErrorCode.CHECKPOINT_CORRUPT);
  }

  @Test
  void aValueOfAnotherShapeIsRefusedByName() {
    byte[] other = StoredJson.write("head", 1, Json.bytes(Map.of("shape", "unknown")));
    assertThatThrownBy(() -> StoredJson.read("head", other, Lease.class, "here"))
        .hasMessageContaining("object=here");
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemillException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}

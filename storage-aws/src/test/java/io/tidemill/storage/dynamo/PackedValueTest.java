package io.tidemill.storage.dynamo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.Deflater;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PackedValueTest {
  private static final byte[] LONG =
      ("{\"files\":[" + "{\"key\":\"state/1/0/a\",\"rows\":5},".repeat(40) + "{}]}")
          .getBytes(UTF_8);

  /** What the dictionary of values that are in tables is known by. */
  private static final int FIRST_DICTIONARY = 1_832_830_452;

  /** {@link #LONG}, as it was packed when packing began. */
  private static final String LONG_PACKED =
      "78bb6d3ec5f4abc6d3d84b84d75ba6d85a27a3d2a3d2a3d2a3d2835d1a58e60100a0de78b1";

  @Test
  void aShortValueIsTheTextItself() {
    byte[] json = ("\"" + "x".repeat(PackedValue.TEXT_BYTES_MAX - 2) + "\"").getBytes(UTF_8);
    assertThat(PackedValue.pack(json)).isEqualTo(json);
    assertThat(PackedValue.unpack(json, "here")).isEqualTo(json);
  }

  @Test
  void aLongValueIsReadBackFromFewerBytes() {
    byte[] packed = PackedValue.pack(LONG);
    assertThat(packed).hasSizeLessThan(LONG.length / 10);
    assertThat(PackedValue.unpack(packed, "here")).isEqualTo(LONG);
  }

  @Test
  void aLongTextWrittenAsItIsIsRead() {
    assertThat(PackedValue.unpack(LONG, "here")).isEqualTo(LONG);
  }

  @Test
  void whatDoesNotGetShorterStaysText() {
    byte[] noise = new byte[20_000];
    new Random(5).nextBytes(noise);
    byte[] text = HexFormat.of().formatHex(noise).getBytes(UTF_8);
    assertThat(PackedValue.unpack(PackedValue.pack(text), "here")).isEqualTo(text);
    assertThat(PackedValue.pack(noise)).isEqualTo(noise);
  }

  @Test
  void theLargestValueIsReadBack() {
    byte[] largest = "x".repeat(DynamoRegister.VALUE_BYTES_MAX).getBytes(UTF_8);
    byte[] quoted = largest.clone();
    quoted[0] = '"';
    quoted[quoted.length - 1] = '"';
    assertThat(PackedValue.unpack(PackedValue.pack(quoted), "here")).isEqualTo(quoted);
  }

  @Test
  void whatWasPackedWhenPackingBeganIsReadForEver() {
    assertThat(PackingDictionary.checksum()).isEqualTo(FIRST_DICTIONARY);
    byte[] stored = HexFormat.of().parseHex(LONG_PACKED);
    assertThat(PackedValue.unpack(stored, "here")).isEqualTo(LONG);
  }

  @Test
  void anotherDictionaryIsOfANewerVersion() {
    Deflater newer = new Deflater();
    newer.setDictionary("another".getBytes(UTF_8));
    newer.setInput(LONG);
    newer.finish();
    byte[] packed = new byte[LONG.length];
    byte[] stored = Arrays.copyOf(packed, newer.deflate(packed));
    newer.end();
    fails(ErrorCode.CHECKPOINT_NEWER, () -> PackedValue.unpack(stored, "here"));
  }

  @Test
  void aStreamThatNobodyWroteIsDamage() {
    byte[] packed = PackedValue.pack(LONG);
    for (int length = 7; length < packed.length; length++) {
      byte[] cut = Arrays.copyOf(packed, length);
      fails(ErrorCode.CHECKPOINT_CORRUPT, () -> PackedValue.unpack(cut, "here"));
    }
    for (int at = 6; at < packed.length; at++) {
      byte[] changed = packed.clone();
      changed[at] ^= 1;
      fails(ErrorCode.CHECKPOINT_CORRUPT, () -> PackedValue.unpack(changed, "here"));
    }
  }

  private static void fails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TidemillException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}

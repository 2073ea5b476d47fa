package io.tidemill.storage.dynamo;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A value as its item holds it, since DynamoDB charges each kilobyte written: a short JSON text as
 * it is, a longer one as a zlib stream (RFC 1950). The first byte tells them apart, as no JSON
 * starts with that of a zlib stream; the stream says by a checksum which dictionary it was written
 * with.
 */
final class PackedValue {
  /** Bytes up to which a value stays text: with its key and versions it is one unit anyhow. */
  static final int TEXT_BYTES_MAX = 512;

  /** The first byte of a zlib stream with a window of 32 KB. */
  private static final byte ZLIB = 0x78;

  private static final int LEVEL = 6;

  private PackedValue() {}

  static byte[] pack(byte[] json) {
    if (json.length <= TEXT_BYTES_MAX) {
      return json;
    }
    Deflater deflater = new Deflater(LEVEL);
    try {
      deflater.setDictionary(PackingDictionary.bytes());
      deflater.setInput(json);
      deflater.finish();
      byte[] packed = new byte[json.length];
      int length = deflater.deflate(packed);
      return deflater.finished() ? Arrays.copyOf(packed, length) : json;
    } finally {
      deflater.end();
    }
  }

  /**
   * The JSON text. Errors: {@code CHECKPOINT_NEWER} for a dictionary this version does not know,
   * {@code CHECKPOINT_CORRUPT} for a stream that nobody wrote.
   *
   * @param item where it was found, for messages
   */
  static byte[] unpack(byte[] stored, String item) {
    if (stored.length == 0 || stored[0] != ZLIB) {
      return stored;
    }
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(stored);
      byte[] json = new byte[DynamoRegister.VALUE_BYTES_MAX];
      int length = inflater.inflate(json);
      if (length == 0 && inflater.needsDictionary()) {
        if (inflater.getAdler() != PackingDictionary.checksum()) {
          throw newer(item);
        }
        inflater.setDictionary(PackingDictionary.bytes());
        length = inflater.inflate(json);
      }
      if (!inflater.finished()) {
        throw corrupt(item, null);
      }
      return Arrays.copyOf(json, length);
    } catch (DataFormatException e) {
      throw corrupt(item, e);
    } finally {
      inflater.end();
    }
  }

  private static TidemillException newer(String item) {
    return new TidemillException(
            ErrorCode.CHECKPOINT_NEWER,
            "The checkpoint was written by a newer version. Run that version or a later one.")
        .with("item", item);
  }

  private static TidemillException corrupt(String item, Throwable cause) {
    return new TidemillException(
            ErrorCode.CHECKPOINT_CORRUPT,
            "A value of the checkpoint's table is damaged: it is not what was written. Restore the"
                + " table from a copy.",
            cause)
        .with("item", item);
  }
}

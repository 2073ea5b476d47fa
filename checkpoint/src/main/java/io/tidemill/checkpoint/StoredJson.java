package io.tidemill.checkpoint;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Checksum;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form of every JSON object in a checkpoint: kind, format, the value, and the checksum of all
 * bytes before it. This and every later format start and end the same way, so that damage and a
 * newer writer can be told apart.
 */
final class StoredJson {
  /** The format written, and the newest one understood. */
  static final int FORMAT = 1;

  private static final Pattern START =
      Pattern.compile("\\{\"kind\":\"([a-z-]{1,40})\",\"format\":(\\d{1,9}),\"value\":");
  private static final int START_BYTES_MAX = 100;
  private static final String CHECKSUM = ",\"crc32c\":\"";
  private static final String END = "\"}\n";
  private static final int TAIL_BYTES = CHECKSUM.length() + 8 + END.length();

  private StoredJson() {}

  static byte[] write(String kind, Object value) {
    return write(kind, FORMAT, Json.bytes(value));
  }

  static byte[] write(String kind, int format, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(value.length + 2 * START_BYTES_MAX);
    String start = "{\"kind\":\"" + kind + "\",\"format\":" + format + ",\"value\":";
    out.writeBytes(start.getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(value);
    byte[] covered = out.toByteArray();
    out.writeBytes(tail(covered, covered.length));
    return out.toByteArray();
  }

  /** The kind of an object, after its checksum and format were found good. */
  static String kind(byte[] bytes, String where) {
    return open(bytes, where).kind();
  }

  /**
   * Reads what {@link #write} wrote. Errors: {@code CHECKPOINT_CORRUPT} for anything else, {@code
   * CHECKPOINT_NEWER} for a format this version does not know.
   */
  static <T> T read(String kind, byte[] bytes, Class<T> type, String where) {
    Opened opened = open(bytes, where);
    if (!opened.kind().equals(kind)) {
      throw corrupt(where, "it is another kind of object").with("kind", opened.kind());
    }
    try {
      return Json.read(opened.value(), type);
    } catch (TidemillException e) {
      throw e.with("object", where);
    }
  }

  private record Opened(String kind, byte[] value) {}

  private static Opened open(byte[] bytes, String where) {
    int covered = bytes.length - TAIL_BYTES;
    if (covered < 0
        || !Arrays.equals(bytes, covered, bytes.length, tail(bytes, covered), 0, TAIL_BYTES)) {
      throw corrupt(where, "its checksum does not match");
    }
    int startBytes = Math.min(covered, START_BYTES_MAX);
    Matcher start = START.matcher(new String(bytes, 0, startBytes, StandardCharsets.ISO_8859_1));
    if (!start.lookingAt()) {
      throw corrupt(where, "it does not start as it should");
    }
    int format = Integer.parseInt(start.group(2));
    if (format > FORMAT) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_NEWER,
              "The checkpoint was written by a newer version. Run that version or a later one.")
          .with("object", where)
          .with("format", format)
          .with("formatSupported", FORMAT);
    }
    return new Opened(start.group(1), Arrays.copyOfRange(bytes, start.end(), covered));
  }

  private static TidemillException corrupt(String where, String reason) {
    return new TidemillException(
            ErrorCode.CHECKPOINT_CORRUPT,
            "An object of the checkpoint is damaged: it is not what was written. Restore it from a"
                + " copy.")
        .with("object", where)
        .with("reason", reason);
  }

  private static byte[] tail(byte[] bytes, int covered) {
    String digits = String.format(Locale.ROOT, "%08x", Checksum.of(bytes, 0, covered));
    return (CHECKSUM + digits + END).getBytes(StandardCharsets.US_ASCII);
  }
}

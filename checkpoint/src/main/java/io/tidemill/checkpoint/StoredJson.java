package io.tidemill.checkpoint;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.storage.Checksum;
import java.nio.charset.StandardCharsets;
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
  private static final String CHECKSUM = ",\"crc32c\":\"";
  private static final String END = "\"}\n";
  private static final int TAIL_CHARS = CHECKSUM.length() + 8 + END.length();

  private StoredJson() {}

  static byte[] write(String kind, Object value) {
    return write(kind, FORMAT, Json.write(value));
  }

  static byte[] write(String kind, int format, String value) {
    String covered = "{\"kind\":\"" + kind + "\",\"format\":" + format + ",\"value\":" + value;
    return (covered + CHECKSUM + checksum(covered) + END).getBytes(StandardCharsets.UTF_8);
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

  private record Opened(String kind, String value) {}

  private static Opened open(byte[] bytes, String where) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    int covered = text.length() - TAIL_CHARS;
    if (covered < 0
        || !text.substring(covered).equals(CHECKSUM + checksum(text.substring(0, covered)) + END)) {
      throw corrupt(where, "its checksum does not match");
    }
    Matcher start = START.matcher(text);
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
    return new Opened(start.group(1), text.substring(start.end(), covered));
  }

  private static TidemillException corrupt(String where, String reason) {
    return new TidemillException(
            ErrorCode.CHECKPOINT_CORRUPT,
            "An object of the checkpoint is damaged: it is not what was written. Restore it from a"
                + " copy.")
        .with("object", where)
        .with("reason", reason);
  }

  private static String checksum(String text) {
    return String.format(Locale.ROOT, "%08x", Checksum.of(text.getBytes(StandardCharsets.UTF_8)));
  }
}

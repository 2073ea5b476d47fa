package io.tidemill.storage;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One version of a register as a JSON object: format, version, attempt and previousAttempt, the
 * value as it was given, and the checksum of all bytes before it. Every format, also later ones,
 * starts with the format number and ends with the checksum, so that damage and a newer writer can
 * be told apart.
 */
final class SlotFormat {
  /** The format written. Older ones are read. */
  static final int FORMAT = 1;

  private static final String VALUE = ",\"value\":";
  private static final String CHECKSUM = ",\"checksum\":\"";
  private static final int CHECKSUM_DIGITS = 8;
  private static final String END = "\"}\n";
  private static final int TAIL_BYTES = CHECKSUM.length() + CHECKSUM_DIGITS + END.length();
  private static final Pattern START = Pattern.compile("\\{\"format\":(\\d{1,9}),");

  private SlotFormat() {}

  /**
   * @param previousAttempt who wrote the version before; empty for the first
   */
  record Slot(long version, AttemptId attempt, Optional<AttemptId> previousAttempt, byte[] value) {}

  private record Header(
      int format, long version, AttemptId attempt, Optional<AttemptId> previousAttempt) {}

  static byte[] write(Slot slot) {
    requireJson(slot.value());
    String header =
        Json.write(new Header(FORMAT, slot.version(), slot.attempt(), slot.previousAttempt()));
    ByteArrayOutputStream out = new ByteArrayOutputStream(slot.value().length + 256);
    out.writeBytes(utf8(header.substring(0, header.length() - 1) + VALUE));
    out.writeBytes(slot.value());
    String digits =
        String.format(Locale.ROOT, "%0" + CHECKSUM_DIGITS + "x", Checksum.of(out.toByteArray()));
    out.writeBytes(utf8(CHECKSUM + digits + END));
    return out.toByteArray();
  }

  /**
   * Reads a slot; damage is {@code CHECKPOINT_CORRUPT}, a later format {@code CHECKPOINT_NEWER}.
   */
  static Slot read(String key, byte[] bytes, String location) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    Matcher start = START.matcher(text);
    if (!hasChecksum(bytes, text) || !start.lookingAt()) {
      throw corrupt(key, location, null);
    }
    int format = Integer.parseInt(start.group(1));
    if (format > FORMAT) {
      throw new TidemillException(
              ErrorCode.CHECKPOINT_NEWER,
              "The checkpoint was written by a newer version. Run that version or a later one.")
          .with("key", key)
          .with("location", location)
          .with("format", format)
          .with("formatSupported", FORMAT);
    }
    // Ids hold no quotes, so the first occurrence is the header's own.
    int value = text.indexOf(VALUE);
    if (value < 0) {
      throw corrupt(key, location, null);
    }
    Header header = header(key, text.substring(0, value) + "}", location);
    int from = value + VALUE.length();
    byte[] content = Arrays.copyOfRange(bytes, from, bytes.length - TAIL_BYTES);
    return new Slot(header.version(), header.attempt(), header.previousAttempt(), content);
  }

  private static boolean hasChecksum(byte[] bytes, String text) {
    int covered = bytes.length - TAIL_BYTES;
    return covered > 0
        && text.substring(covered)
            .equals(
                CHECKSUM
                    + String.format(
                        Locale.ROOT, "%0" + CHECKSUM_DIGITS + "x", Checksum.of(bytes, 0, covered))
                    + END);
  }

  private static Header header(String key, String json, String location) {
    try {
      return Json.read(json, Header.class);
    } catch (TidemillException e) {
      throw corrupt(key, location, e);
    }
  }

  private static TidemillException corrupt(String key, String location, Throwable cause) {
    return new TidemillException(
            ErrorCode.CHECKPOINT_CORRUPT,
            "A stored version of the checkpoint is damaged: it is not what was written. Restore it"
                + " from a copy.",
            cause)
        .with("key", key)
        .with("location", location);
  }

  private static void requireJson(byte[] value) {
    try (JsonParser parser = Json.MAPPER.getFactory().createParser(value)) {
      if (parser.nextToken() == null) {
        throw notJson(null);
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw notJson(null);
      }
    } catch (IOException e) {
      throw notJson(e);
    }
  }

  private static TidemillException notJson(Throwable cause) {
    return new TidemillException(
        ErrorCode.INTERNAL, "A value for a register is not one JSON text.", cause);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

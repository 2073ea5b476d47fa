package io.tidemill.connectors.file;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Column values in directory names, {@code name=value}. Characters that paths reserve are written
 * {@code %XX}, as Spark and Hive do.
 */
final class Partitions {
  /** The value of a directory for null and for the empty text. */
  static final String NULL = "__HIVE_DEFAULT_PARTITION__";

  private static final String ESCAPED = "\"#%'*/:=?\\{}[]^";

  private Partitions() {}

  /** The directory name for a value; null is a value. */
  static String directory(String column, String value) {
    return escape(column) + "=" + (value == null || value.isEmpty() ? NULL : escape(value));
  }

  /** Values of the directories a file is in, outermost first; a value may be null. */
  static Map<String, String> of(FilePattern pattern, String file) {
    Map<String, String> values = new LinkedHashMap<>();
    List<String> names = pattern.below(file);
    for (String name : names.subList(0, Math.max(0, names.size() - 1))) {
      int equals = name.indexOf('=');
      if (equals > 0) {
        String value = unescape(name.substring(equals + 1));
        values.put(unescape(name.substring(0, equals)), value.equals(NULL) ? null : value);
      }
    }
    return values;
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (c < ' ' || c == 0x7f || ESCAPED.indexOf(c) >= 0) {
                escaped.append(String.format(Locale.ROOT, "%%%02X", c));
              } else {
                escaped.appendCodePoint(c);
              }
            });
    // A directory named "." or ".." would be another one.
    return escaped.toString().matches("\\.+")
        ? escaped.toString().replace(".", "%2E")
        : escaped.toString();
  }

  private static String unescape(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream plain = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      int high = i + 2 <= bytes.length - 1 ? Character.digit(bytes[i + 1], 16) : -1;
      int low = i + 2 <= bytes.length - 1 ? Character.digit(bytes[i + 2], 16) : -1;
      if (bytes[i] == '%' && high >= 0 && low >= 0) {
        plain.write(high * 16 + low);
        i += 2;
      } else {
        plain.write(bytes[i]);
      }
    }
    return plain.toString(StandardCharsets.UTF_8);
  }
}

package io.tidemill.api.types;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.Map;

/** Patterns of date and time as Spark and Java write them, as DuckDB needs them. */
public final class TimePattern {
  private static final Map<String, String> LETTERS =
      Map.ofEntries(
          Map.entry("yyyy", "%Y"),
          Map.entry("uuuu", "%Y"),
          Map.entry("yy", "%y"),
          Map.entry("y", "%Y"),
          Map.entry("MMMM", "%B"),
          Map.entry("MMM", "%b"),
          Map.entry("MM", "%m"),
          Map.entry("M", "%-m"),
          Map.entry("dd", "%d"),
          Map.entry("d", "%-d"),
          Map.entry("DDD", "%j"),
          Map.entry("EEEE", "%A"),
          Map.entry("EEE", "%a"),
          Map.entry("E", "%a"),
          Map.entry("HH", "%H"),
          Map.entry("H", "%-H"),
          Map.entry("hh", "%I"),
          Map.entry("h", "%-I"),
          Map.entry("mm", "%M"),
          Map.entry("m", "%-M"),
          Map.entry("ss", "%S"),
          Map.entry("s", "%-S"),
          Map.entry("SSS", "%g"),
          Map.entry("SSSSSS", "%f"),
          Map.entry("SSSSSSSSS", "%n"),
          Map.entry("a", "%p"),
          Map.entry("z", "%Z"),
          Map.entry("Z", "%z"),
          Map.entry("x", "%z"),
          Map.entry("xx", "%z"),
          Map.entry("xxx", "%z"),
          Map.entry("X", "%z"),
          Map.entry("XX", "%z"),
          Map.entry("XXX", "%z"));

  private TimePattern() {}

  /** The strftime form of a pattern such as {@code yyyy-MM-dd'T'HH:mm:ss}. */
  public static String strftime(String pattern) {
    StringBuilder result = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      if (c == '\'') {
        int close = pattern.indexOf('\'', i + 1);
        if (close < 0) {
          throw unknown(pattern, "'");
        }
        result.append(close == i + 1 ? "'" : literal(pattern.substring(i + 1, close)));
        i = close + 1;
      } else if (Character.isLetter(c)) {
        int end = i;
        while (end < pattern.length() && pattern.charAt(end) == c) {
          end++;
        }
        String letters = pattern.substring(i, end);
        String form = LETTERS.get(letters);
        if (form == null) {
          throw unknown(pattern, letters);
        }
        result.append(form);
        i = end;
      } else {
        result.append(literal(String.valueOf(c)));
        i++;
      }
    }
    return result.toString();
  }

  private static String literal(String text) {
    return text.replace("%", "%%");
  }

  private static TidemillException unknown(String pattern, String letters) {
    return new TidemillException(
            ErrorCode.UNSUPPORTED,
            "A pattern of date and time has letters that are not supported; use y, M, d, H, h, m, s,"
                + " S (3, 6 or 9), a, E, D, z, Z, x or X, and put text in single quotes.")
        .with("pattern", pattern)
        .with("letters", letters);
  }
}

package io.tidemill.golden;

import java.util.regex.Pattern;

/** Times of a trace, which are minutes and seconds of one hour: {@code 00:14.999}. */
final class Times {
  private static final String HOUR = "2026-03-01T00:";
  private static final Pattern SHORT = Pattern.compile("\\b\\d\\d:\\d\\d(\\.\\d+)?\\b");

  private Times() {}

  /** Writes the times of a text in full. */
  static String full(String text) {
    return SHORT.matcher(text).replaceAll(time -> HOUR + time.group() + "Z");
  }

  /** Writes the times of a text in short, and the epoch as none. */
  static String shortened(String text) {
    return text.replace("1970-01-01T00:00:00.000Z", "none")
        .replaceAll(HOUR + "(\\d\\d:\\d\\d)(?:\\.0+)?Z", "$1")
        .replaceAll(HOUR + "(\\d\\d:\\d\\d\\.\\d+?)0*Z", "$1");
  }
}

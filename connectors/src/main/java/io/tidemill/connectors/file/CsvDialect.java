package io.tidemill.connectors.file;

import io.tidemill.connectors.Options;
import java.util.Optional;

/**
 * How CSV is written. Defaults are those of RFC 4180; Spark's escape character is the backslash
 * instead.
 *
 * @param header true if the first record of each file names the columns
 * @param escape what stands before a quote inside quotes; the quote itself doubles it
 * @param comment first character of lines to skip
 * @param nullValue unquoted text that means null; the empty text by default
 */
public record CsvDialect(
    boolean header,
    char separator,
    char quote,
    char escape,
    Optional<Character> comment,
    String nullValue) {

  public static CsvDialect forReading(Options options) {
    Optional<Character> comment =
        options.text("comment").filter(c -> !c.isEmpty()).map(c -> character(options, "comment"));
    return of(options, comment);
  }

  static CsvDialect forWriting(Options options) {
    return of(options, Optional.empty());
  }

  private static CsvDialect of(Options options, Optional<Character> comment) {
    String separatorName = options.text("delimiter").isPresent() ? "delimiter" : "sep";
    char separator =
        options.text(separatorName).isPresent() ? character(options, separatorName) : ',';
    char quote = options.text("quote").isPresent() ? character(options, "quote") : '"';
    char escape = options.text("escape").isPresent() ? character(options, "escape") : quote;
    if (separator == quote || separator == escape) {
      throw options.invalid(separatorName, "another character than quote and escape");
    }
    return new CsvDialect(
        options.flag("header", false),
        separator,
        quote,
        escape,
        comment,
        options.text("nullValue", ""));
  }

  private static char character(Options options, String name) {
    String text = options.text(name, "");
    if (text.equals("\\t")) {
      return '\t';
    }
    if (text.length() != 1 || text.charAt(0) == '\n' || text.charAt(0) == '\r') {
      throw options.invalid(name, "one character, or \\t");
    }
    return text.charAt(0);
  }
}

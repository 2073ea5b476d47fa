package io.tidemill.connectors.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes CSV records apart, strictly: text after a closing quote and quotes that are never closed
 * make a record malformed, where lenient parsers guess. Fed line by line, so that the text of a
 * record and the place of the next are known even if it is malformed. Not thread-safe.
 *
 * <p>Libraries were tried first: univocity takes an unclosed quote for closed, Jackson and Commons
 * CSV turn an escaped n into a line break, FastCSV knows no escape character, and DuckDB's reader
 * gives no line numbers and mixes malformed records into a table of its own.
 */
public final class CsvParser {
  private final CsvDialect dialect;
  private List<String> fields = new ArrayList<>();
  private final StringBuilder value = new StringBuilder();
  private boolean inQuotes;
  private String problem;

  public CsvParser(CsvDialect dialect) {
    this.dialect = dialect;
  }

  /** Forgets the record read. */
  public void start() {
    fields = new ArrayList<>();
    value.setLength(0);
    inQuotes = false;
    problem = null;
  }

  /**
   * Reads a line of the record.
   *
   * @return true if the record ends with it, false if it goes on inside quotes
   */
  public boolean line(String line) {
    int at = 0;
    if (inQuotes) {
      at = quoted(line, 0);
      if (at < 0) {
        return false;
      }
      if (at >= line.length()) {
        return true;
      }
      at++;
    }
    while (problem == null) {
      at = field(line, at);
      if (at < 0) {
        return false;
      }
      if (at >= line.length()) {
        return true;
      }
      at++; // Past the separator; at the end of the line an empty field follows.
    }
    return true;
  }

  /** Continues a value inside quotes with the line break between two lines. */
  public void lineBreak(String text) {
    value.append(text);
  }

  /** The fields; null stands for null. */
  public List<String> fields() {
    return fields;
  }

  /** What is wrong with the record, if anything. */
  public Optional<String> problem() {
    return Optional.ofNullable(inQuotes ? "a quote is not closed" : problem);
  }

  /** Reads a field; returns where its separator is, the line's end, or -1 if it goes on. */
  private int field(String line, int start) {
    if (start < line.length() && line.charAt(start) == dialect.quote()) {
      value.setLength(0);
      inQuotes = true;
      return quoted(line, start + 1);
    }
    int end = line.indexOf(dialect.separator(), start);
    end = end < 0 ? line.length() : end;
    String text = line.substring(start, end);
    fields.add(text.equals(dialect.nullValue()) ? null : text);
    return end;
  }

  private int quoted(String line, int start) {
    char quote = dialect.quote();
    char escape = dialect.escape();
    int at = start;
    while (at < line.length()) {
      char c = line.charAt(at);
      char next = at + 1 < line.length() ? line.charAt(at + 1) : '\0';
      if (c == escape && (next == quote || (escape != quote && next == escape))) {
        value.append(next);
        at += 2;
      } else if (c == quote) {
        return close(line, at + 1);
      } else {
        value.append(c);
        at++;
      }
    }
    return -1;
  }

  private int close(String line, int at) {
    inQuotes = false;
    fields.add(value.toString());
    if (at < line.length() && line.charAt(at) != dialect.separator()) {
      problem = "there is text after a closing quote";
      return line.length();
    }
    return at;
  }
}

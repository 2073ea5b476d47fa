package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job file's name and text, able to say where something stands in it.
 *
 * @param name file name, for messages
 * @param text the whole text
 */
public record JobText(String name, String text) {
  private static final Pattern POSITION = Pattern.compile("(.*):(\\d{1,9}):(\\d{1,9})");
  private static final Pattern TOKEN = Pattern.compile("'(?:[^']|'')*'|\\w+");
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(?:password|passphrase|jaas|secret|token|credential|keystore[.]key)[\\w.]*'?"
              + "\\s*=?\\s*'((?:[^']|'')*+)");

  /** {@code name:line:column} of an offset, both counted from 1. */
  public String at(int offset) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < Math.min(offset, text.length()); i++) {
      if (text.charAt(i) == '\n') {
        line++;
        column = 1;
      } else {
        column++;
      }
    }
    return name + ":" + line + ":" + column;
  }

  /** An error that points at a part of the text. */
  public TidemillException error(ErrorCode code, int offset, int length, String message) {
    return new TidemillException(code, message)
        .with("at", at(offset))
        .with(TidemillException.SNIPPET, snippet(offset, length));
  }

  /** The error with the line it points at, if it points into this text and does not show it yet. */
  public TidemillException shown(TidemillException error) {
    Matcher at = POSITION.matcher(String.valueOf(error.fields().get("at")));
    if (error.fields().containsKey(TidemillException.SNIPPET)
        || !at.matches()
        || !at.group(1).equals(name)) {
      return error;
    }
    int offset = offset(Integer.parseInt(at.group(2)), Integer.parseInt(at.group(3)));
    Matcher token = TOKEN.matcher(text);
    int length = token.find(offset) && token.start() == offset ? token.end() - offset : 1;
    return error.with(TidemillException.SNIPPET, snippet(offset, length));
  }

  private int offset(int line, int column) {
    int start = 0;
    for (int i = 1; i < line; i++) {
      start = text.indexOf('\n', start) + 1;
    }
    return start + column - 1;
  }

  private String snippet(int offset, int length) {
    int at = Math.max(0, Math.min(offset, text.length()));
    int start = text.lastIndexOf('\n', at - 1) + 1;
    int end = text.indexOf('\n', at);
    String line = withoutSecrets().substring(start, end < 0 ? text.length() : end);
    String number =
        Long.toString(1 + text.substring(0, start).chars().filter(c -> c == '\n').count());
    int carets = Math.max(1, Math.min(length, line.length() - (at - start)));
    return "  "
        + number
        + " | "
        + line
        + "\n  "
        + " ".repeat(number.length())
        + " | "
        + " ".repeat(at - start)
        + "^".repeat(carets);
  }

  /** The text with asterisks for values of options that look as if they were secret. */
  private String withoutSecrets() {
    StringBuilder shown = new StringBuilder(text);
    Matcher secret = SECRET.matcher(text);
    while (secret.find()) {
      for (int i = secret.start(1); i < secret.end(1); i++) {
        if (text.charAt(i) != '\n') {
          shown.setCharAt(i, '*');
        }
      }
    }
    return shown.toString();
  }
}

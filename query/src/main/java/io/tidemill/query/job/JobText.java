package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;

/**
 * A job file's name and text, able to say where something stands in it.
 *
 * @param name file name, for messages
 * @param text the whole text
 */
public record JobText(String name, String text) {

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

  private String snippet(int offset, int length) {
    int at = Math.max(0, Math.min(offset, text.length()));
    int start = text.lastIndexOf('\n', at - 1) + 1;
    int end = text.indexOf('\n', at);
    String line = text.substring(start, end < 0 ? text.length() : end);
    String number = at(at).split(":", -1)[1];
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
}

package io.tidemill.query.job;

import io.tidemill.protocol.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/** Cuts SQL text into tokens; comments and white space are left out. */
final class Lexer {
  private final JobText job;
  private final String text;
  private int at;

  private Lexer(JobText job) {
    this.job = job;
    this.text = job.text();
  }

  /** All tokens, the last one of kind END. */
  static List<Token> tokens(JobText job) {
    return new Lexer(job).run();
  }

  private List<Token> run() {
    List<Token> tokens = new ArrayList<>();
    while (true) {
      skipBlank();
      if (at >= text.length()) {
        tokens.add(new Token(Token.Kind.END, "the end of the file", at, at));
        return tokens;
      }
      tokens.add(next());
    }
  }

  private Token next() {
    int start = at;
    char c = text.charAt(at);
    if (c == '\'') {
      return new Token(Token.Kind.STRING, quoted('\''), start, at);
    }
    if (c == '"') {
      String name = quoted('"');
      if (name.isEmpty()) {
        throw job.error(ErrorCode.JOB_SYNTAX, start, 2, "A name is empty.");
      }
      return new Token(Token.Kind.QUOTED_NAME, name, start, at);
    }
    if (Character.isLetter(c) || c == '_') {
      while (at < text.length() && isWordPart(text.charAt(at))) {
        at++;
      }
      return new Token(Token.Kind.WORD, text.substring(start, at), start, at);
    }
    if (Character.isDigit(c)) {
      while (at < text.length() && (isWordPart(text.charAt(at)) || text.charAt(at) == '.')) {
        at++;
      }
      return new Token(Token.Kind.NUMBER, text.substring(start, at), start, at);
    }
    at++;
    return new Token(Token.Kind.SYMBOL, String.valueOf(c), start, at);
  }

  private String quoted(char quote) {
    int start = at;
    StringBuilder value = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != quote) {
        value.append(c);
      } else if (at < text.length() && text.charAt(at) == quote) {
        value.append(quote);
        at++;
      } else {
        return value.toString();
      }
    }
    throw job.error(
        ErrorCode.JOB_SYNTAX,
        start,
        1,
        quote == '"' ? "A quoted name is not closed." : "A text is not closed; end it with '.");
  }

  private void skipBlank() {
    while (at < text.length()) {
      if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else if (text.startsWith("--", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (text.startsWith("/*", at)) {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
          throw job.error(ErrorCode.JOB_SYNTAX, at, 2, "A comment is not closed; end it with */.");
        }
        at = end + 2;
      } else {
        return;
      }
    }
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$';
  }
}

package io.tidemill.connectors.types;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads type texts such as {@code STRUCT(a BIGINT, "b c" VARCHAR[])[]}. */
final class SqlTypeParser {
  private final String text;
  private int at;

  SqlTypeParser(String text) {
    this.text = text;
  }

  SqlType type() {
    SqlType type = oneType();
    if (at < text.length()) {
      throw unreadable();
    }
    return type;
  }

  private SqlType oneType() {
    skipBlanks();
    int start = at;
    SqlType type;
    String word = wordAhead();
    if (word.equals("STRUCT") || word.equals("ROW")) {
      at += word.length();
      type = members(SqlType.Kind.STRUCT);
    } else if (word.equals("MAP")) {
      at += word.length();
      type = members(SqlType.Kind.MAP);
    } else {
      type = SqlType.scalar(scalarText(start));
    }
    skipBlanks();
    while (at < text.length() && text.charAt(at) == '[') {
      int end = text.indexOf(']', at);
      if (end < 0) {
        throw unreadable();
      }
      type = SqlType.list(type, text.substring(at, end + 1));
      at = end + 1;
      skipBlanks();
    }
    return type;
  }

  private SqlType members(SqlType.Kind kind) {
    expect('(');
    List<SqlType.Field> fields = new ArrayList<>();
    do {
      skipBlanks();
      String name = kind == SqlType.Kind.MAP ? "" : name();
      fields.add(new SqlType.Field(name, oneType()));
      skipBlanks();
    } while (at < text.length() && text.charAt(at++) == ',');
    if (text.charAt(at - 1) != ')' || (kind == SqlType.Kind.MAP && fields.size() != 2)) {
      throw unreadable();
    }
    return new SqlType(kind, SqlType.textOf(kind, fields), fields);
  }

  private String name() {
    if (at < text.length() && text.charAt(at) == '"') {
      StringBuilder name = new StringBuilder();
      for (at++; at < text.length(); at++) {
        char c = text.charAt(at);
        if (c == '"' && (at + 1 >= text.length() || text.charAt(at + 1) != '"')) {
          at++;
          return name.toString();
        }
        at += c == '"' ? 1 : 0;
        name.append(c);
      }
      throw unreadable();
    }
    int start = at;
    while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  /** Up to a comma, bracket or closing parenthesis outside of parentheses and quotes. */
  private String scalarText(int start) {
    int depth = 0;
    boolean quoted = false;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\'' || c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == '(') {
        depth++;
      } else if (!quoted && depth > 0 && c == ')') {
        depth--;
      } else if (!quoted && depth == 0 && (c == ',' || c == '[' || c == ')')) {
        break;
      }
    }
    String found = text.substring(start, at).trim();
    if (found.isEmpty()) {
      throw unreadable();
    }
    return found;
  }

  private String wordAhead() {
    int end = at;
    while (end < text.length() && Character.isLetter(text.charAt(end))) {
      end++;
    }
    int next = end;
    while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
      next++;
    }
    boolean hasMembers = next < text.length() && text.charAt(next) == '(';
    return hasMembers ? text.substring(at, end).toUpperCase(Locale.ROOT) : "";
  }

  private void expect(char c) {
    skipBlanks();
    if (at >= text.length() || text.charAt(at++) != c) {
      throw unreadable();
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private TidemillException unreadable() {
    return new TidemillException(
            ErrorCode.INVALID_OPTION, "A column type cannot be read: it is not a DuckDB type.")
        .with("type", text);
  }
}

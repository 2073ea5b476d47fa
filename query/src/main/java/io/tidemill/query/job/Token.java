package io.tidemill.query.job;

/**
 * A piece of a job file.
 *
 * @param kind what it is
 * @param text its meaning: names and words as written, quoted names and strings without quotes
 * @param start offset of its first character
 * @param end offset behind its last character
 */
record Token(Kind kind, String text, int start, int end) {
  enum Kind {
    WORD,
    QUOTED_NAME,
    STRING,
    NUMBER,
    SYMBOL,
    END
  }

  boolean isWord(String word) {
    return kind == Kind.WORD && text.equalsIgnoreCase(word);
  }

  boolean isSymbol(String symbol) {
    return kind == Kind.SYMBOL && text.equals(symbol);
  }

  boolean isName() {
    return kind == Kind.WORD || kind == Kind.QUOTED_NAME;
  }
}

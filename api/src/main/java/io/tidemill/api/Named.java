package io.tidemill.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A column by name, perhaps of a certain dataset, perhaps with the names of struct fields behind
 * it.
 *
 * @param parts the names, outermost first
 * @param step the dataset it was taken from
 */
record Named(List<String> parts, Optional<Step> step) implements Expression {
  Named {
    parts = List.copyOf(parts);
  }

  /** Reads {@code a.b} as two names, and a name in backticks as one. */
  static Named of(String text, Optional<Step> step) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '`') {
        quoted = !quoted;
      } else if (c == '.' && !quoted) {
        parts.add(part.toString());
        part.setLength(0);
      } else {
        part.append(c);
      }
    }
    parts.add(part.toString());
    return new Named(parts, step);
  }

  boolean isStar() {
    return parts.get(parts.size() - 1).equals("*");
  }

  @Override
  public String sql(Scope scope) {
    return scope.sql(this);
  }

  @Override
  public String name() {
    return parts.get(parts.size() - 1);
  }
}

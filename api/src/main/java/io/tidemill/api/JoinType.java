package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.Nearest;
import io.tidemill.protocol.error.TidemillException;
import java.util.List;
import java.util.Locale;

/** Kinds of joins, by Spark's names. */
enum JoinType {
  INNER("JOIN", "inner"),
  CROSS("CROSS JOIN", "cross"),
  LEFT("LEFT JOIN", "left|leftouter"),
  RIGHT("RIGHT JOIN", "right|rightouter"),
  FULL("FULL JOIN", "full|fullouter|outer"),
  SEMI("SEMI JOIN", "semi|leftsemi"),
  ANTI("ANTI JOIN", "anti|leftanti");

  private final String sql;
  private final String names;

  JoinType(String sql, String names) {
    this.sql = sql;
    this.names = names;
  }

  String sql() {
    return sql;
  }

  /** True if the result has the columns of the left side only. */
  boolean hasLeftOnly() {
    return this == SEMI || this == ANTI;
  }

  static JoinType of(String name) {
    String plain = name.replace("_", "").toLowerCase(Locale.ROOT);
    for (JoinType type : values()) {
      if (plain.matches(type.names)) {
        return type;
      }
    }
    List<String> known =
        List.of("inner", "cross", "left", "right", "full", "left_semi", "left_anti");
    throw new TidemillException(
            ErrorCode.INVALID_OPTION,
            "There is no such type of join; it is inner, cross, left, right, full, left_semi or"
                + " left_anti."
                + Nearest.hint(name, known))
        .with("type", name);
  }
}

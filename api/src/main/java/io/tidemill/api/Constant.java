package io.tidemill.api;

import io.tidemill.api.types.Literals;

/**
 * A constant.
 *
 * @param sql its SQL
 * @param name how Spark shows it
 */
record Constant(String sql, String name) implements Expression {
  static Constant of(Object value) {
    return new Constant(Literals.of(value), String.valueOf(value));
  }

  @Override
  public String sql(Scope scope) {
    return sql;
  }
}

package io.tidemill.api;

import java.util.List;

/**
 * A function or operator over other expressions.
 *
 * @param sql its SQL; {@code {0}}, {@code {1}}, … stand for the arguments
 * @param name its name, with the arguments' names in the same places
 * @param isAtomic false for operators
 */
record Form(String sql, String name, boolean isAtomic, List<Expression> arguments)
    implements Expression {
  Form {
    arguments = List.copyOf(arguments);
  }

  /** A call under the name that Spark and DuckDB share. */
  static Form call(String function, List<Expression> arguments) {
    return call(function, function, arguments);
  }

  /** A call under DuckDB's name, shown under Spark's. */
  static Form call(String duckFunction, String sparkFunction, List<Expression> arguments) {
    String places = places(arguments.size());
    return new Form(
        duckFunction + "(" + places + ")", sparkFunction + "(" + places + ")", true, arguments);
  }

  /** SQL with places for the arguments that binds like a function call. */
  static Form of(String sql, String sparkFunction, Expression... arguments) {
    return new Form(
        sql, sparkFunction + "(" + places(arguments.length) + ")", true, List.of(arguments));
  }

  static Form operator(String sql, Expression... arguments) {
    return new Form(sql, "(" + sql + ")", false, List.of(arguments));
  }

  private static String places(int count) {
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < count; i++) {
      places.append(i == 0 ? "{" : ", {").append(i).append('}');
    }
    return places.toString();
  }

  @Override
  public String sql(Scope scope) {
    return fill(sql, arguments.stream().map(a -> a.part(scope)).toList());
  }

  @Override
  public String name() {
    return fill(name, arguments.stream().map(Expression::name).toList());
  }

  private static String fill(String template, List<String> values) {
    StringBuilder filled = new StringBuilder();
    int at = 0;
    while (at < template.length()) {
      int close = template.charAt(at) == '{' ? template.indexOf('}', at) : -1;
      if (close > at + 1
          && template.substring(at + 1, close).chars().allMatch(Character::isDigit)) {
        filled.append(values.get(Integer.parseInt(template.substring(at + 1, close))));
        at = close + 1;
      } else {
        filled.append(template.charAt(at++));
      }
    }
    return filled.toString();
  }
}

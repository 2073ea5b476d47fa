package io.tidemill.api;

import io.tidemill.api.types.DataType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A column of a result, as an expression over other columns. Names and meanings are Spark's; where
 * a method takes an {@code Object}, a {@code Column} is that column and anything else a constant.
 * Immutable.
 */
public final class Column {
  private final Expression expression;
  private final Optional<String> alias;

  Column(Expression expression) {
    this(expression, Optional.empty());
  }

  private Column(Expression expression, Optional<String> alias) {
    this.expression = expression;
    this.alias = alias;
  }

  Expression expression() {
    return expression;
  }

  Optional<String> alias() {
    return alias;
  }

  String name() {
    return alias.orElseGet(expression::name);
  }

  static Expression expressionOf(Object value) {
    return value instanceof Column column ? column.expression : Constant.of(value);
  }

  private Column with(String operator, Object other) {
    return new Column(Form.operator("{0} " + operator + " {1}", expression, expressionOf(other)));
  }

  private Column call(String function, Object... others) {
    List<Expression> arguments = new ArrayList<>(List.of(expression));
    Arrays.stream(others).map(Column::expressionOf).forEach(arguments::add);
    return new Column(Form.call(function, arguments));
  }

  public Column as(String name) {
    return new Column(expression, Optional.of(name));
  }

  public Column alias(String name) {
    return as(name);
  }

  public Column name(String name) {
    return as(name);
  }

  public Column plus(Object other) {
    return with("+", other);
  }

  public Column minus(Object other) {
    return with("-", other);
  }

  public Column multiply(Object other) {
    return with("*", other);
  }

  /** The quotient, with decimals even for whole numbers. */
  public Column divide(Object other) {
    return with("/", other);
  }

  public Column mod(Object other) {
    return with("%", other);
  }

  public Column negate() {
    return new Column(Form.operator("- {0}", expression));
  }

  public Column equalTo(Object other) {
    return with("=", other);
  }

  public Column notEqual(Object other) {
    return with("<>", other);
  }

  public Column gt(Object other) {
    return with(">", other);
  }

  public Column geq(Object other) {
    return with(">=", other);
  }

  public Column lt(Object other) {
    return with("<", other);
  }

  public Column leq(Object other) {
    return with("<=", other);
  }

  /** Equality for which null equals null. */
  public Column eqNullSafe(Object other) {
    return with("IS NOT DISTINCT FROM", other);
  }

  public Column and(Column other) {
    return with("AND", other);
  }

  public Column or(Column other) {
    return with("OR", other);
  }

  public Column isNull() {
    return new Column(Form.operator("{0} IS NULL", expression));
  }

  public Column isNotNull() {
    return new Column(Form.operator("{0} IS NOT NULL", expression));
  }

  public Column isNaN() {
    return new Column(Form.of("coalesce(isnan({0}), false)", "isnan", expression));
  }

  /** Whether the value is among those given. */
  public Column isin(Object... values) {
    List<Expression> arguments = new ArrayList<>(List.of(expression));
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < values.length; i++) {
      arguments.add(expressionOf(values[i]));
      places.append(i == 0 ? "{" : ", {").append(i + 1).append('}');
    }
    String sql = values.length == 0 ? "false" : "{0} IN (" + places + ")";
    return new Column(new Form(sql, "(" + sql + ")", false, arguments));
  }

  /** Whether the value is within both bounds, which count as within. */
  public Column between(Object lower, Object upper) {
    return geq(lower).and(leq(upper));
  }

  /** SQL's LIKE, with {@code \} as escape. */
  public Column like(String pattern) {
    return new Column(Form.operator("{0} LIKE {1} ESCAPE '\\'", expression, Constant.of(pattern)));
  }

  public Column ilike(String pattern) {
    return new Column(Form.operator("{0} ILIKE {1} ESCAPE '\\'", expression, Constant.of(pattern)));
  }

  /** Whether a part of the text matches the regular expression. */
  public Column rlike(String pattern) {
    return new Column(
        Form.of("regexp_matches({0}, {1})", "RLIKE", expression, Constant.of(pattern)));
  }

  public Column startsWith(Object prefix) {
    return new Column(
        Form.of("starts_with({0}, {1})", "startswith", expression, expressionOf(prefix)));
  }

  public Column endsWith(Object suffix) {
    return new Column(Form.of("suffix({0}, {1})", "endswith", expression, expressionOf(suffix)));
  }

  public Column contains(Object part) {
    return call("contains", part);
  }

  /** A part of a text, the first character having position 1. */
  public Column substr(int start, int length) {
    return new Column(
        Form.of(
            "substr({0}, {1}, {2})",
            "substring",
            expression,
            Constant.of(Math.max(start, start == 0 ? 1 : start)),
            Constant.of(length)));
  }

  /**
   * The value in another type, e.g. {@code "string"}, {@code "decimal(18,2)"} or {@code
   * "array<int>"}. A value that cannot be cast fails the query. Bytes become text as UTF-8.
   */
  public Column cast(String type) {
    return new Column(new Cast(expression, DataType.parse(type), false), alias);
  }

  /** As {@link #cast}, but null for a value that cannot be cast. */
  public Column try_cast(String type) {
    return new Column(new Cast(expression, DataType.parse(type), true), alias);
  }

  /** A field of a struct. */
  public Column getField(String field) {
    return new Column(
        new Form("{0}." + Sql.name(field), "{0}." + field, true, List.of(inBrackets())));
  }

  /** An element of a list, the first having position 0, or a value of a map. */
  public Column getItem(Object key) {
    if (key instanceof Integer position) {
      // Spark: positions start at 0, and there are no negative ones.
      String sql = position < 0 ? "NULL" : "{0}[" + (position + 1) + "]";
      return new Column(new Form(sql, "{0}[" + position + "]", true, List.of(inBrackets())));
    }
    return new Column(
        new Form("{0}[{1}]", "{0}[{1}]", true, List.of(inBrackets(), expressionOf(key))));
  }

  /** A name can be followed by a field or position; anything else has to stand in brackets. */
  private Expression inBrackets() {
    return expression instanceof Named
        ? expression
        : new Form("({0})", "{0}", true, List.of(expression));
  }

  /** A further branch of {@link functions#when}. */
  public Column when(Column condition, Object value) {
    return new Column(
        choice().and(new Choice.Branch(condition.expression, expressionOf(value))), alias);
  }

  /** The value where no condition of {@link functions#when} holds; null without this. */
  public Column otherwise(Object value) {
    return new Column(new Choice(choice().branches(), Optional.of(expressionOf(value))), alias);
  }

  private Choice choice() {
    if (expression instanceof Choice choice && choice.otherwise().isEmpty()) {
      return choice;
    }
    throw new TidemillException(
        ErrorCode.ILLEGAL_QUERY, "when and otherwise follow functions.when, before any otherwise.");
  }

  public Column asc() {
    return new Column(new Ordering(expression, Ordering.ASCENDING));
  }

  public Column asc_nulls_first() {
    return asc();
  }

  public Column asc_nulls_last() {
    return new Column(new Ordering(expression, "ASC NULLS LAST"));
  }

  public Column desc() {
    return desc_nulls_last();
  }

  public Column desc_nulls_first() {
    return new Column(new Ordering(expression, "DESC NULLS FIRST"));
  }

  public Column desc_nulls_last() {
    return new Column(new Ordering(expression, "DESC NULLS LAST"));
  }

  @Override
  public String toString() {
    return name();
  }
}

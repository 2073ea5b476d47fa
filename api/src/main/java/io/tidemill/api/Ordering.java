package io.tidemill.api;

/**
 * A sort key.
 *
 * @param direction e.g. {@code ASC NULLS FIRST}
 */
record Ordering(Expression of, String direction) implements Expression {
  /** Spark's order where none is given: nulls first. */
  static final String ASCENDING = "ASC NULLS FIRST";

  @Override
  public String sql(Scope scope) {
    return of.part(scope) + " " + direction;
  }

  @Override
  public String name() {
    return of.name() + " " + direction;
  }
}

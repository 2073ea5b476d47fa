package io.tidemill.api;

/** What a {@link Column} says, to be written as SQL over the columns of some dataset. */
interface Expression {
  /** SQL over the columns of a scope. */
  String sql(Scope scope);

  /** What a result column is called if the program does not say: the name Spark would give. */
  String name();

  /** True if the SQL needs no brackets where it stands inside another expression. */
  default boolean isAtomic() {
    return true;
  }

  /** The SQL, in brackets if it needs them inside another expression. */
  default String part(Scope scope) {
    return isAtomic() ? sql(scope) : "(" + sql(scope) + ")";
  }
}

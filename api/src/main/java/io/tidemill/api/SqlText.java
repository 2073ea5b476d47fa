package io.tidemill.api;

/** An expression written as SQL. */
record SqlText(String text) implements Expression {
  @Override
  public String sql(Scope scope) {
    return scope.parsed(text).sql();
  }

  @Override
  public String name() {
    return text;
  }

  @Override
  public boolean isAtomic() {
    return false;
  }
}

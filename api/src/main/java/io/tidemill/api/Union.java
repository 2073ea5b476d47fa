package io.tidemill.api;

import java.util.List;
import java.util.Set;

/** UNION ALL of two inputs, whose items go together by position. */
record Union(Projection left, Projection right) implements Body {
  @Override
  public Set<Body.Use> uses(Set<String> wanted) {
    Set<Body.Use> uses = new java.util.TreeSet<>(left.uses(wanted));
    uses.addAll(right.uses(wanted));
    return uses;
  }

  @Override
  public String sql(Set<String> wanted, List<String> inputs) {
    return left.sql(wanted, inputs) + " UNION ALL " + right.sql(wanted, inputs);
  }
}

package io.tidemill.api;

import java.util.List;
import java.util.Set;

/** A SELECT with ORDER BY. A limit behind it joins it, since the order of a subquery is lost. */
record Sorted(Projection rows) implements Body {
  @Override
  public Set<Body.Use> uses(Set<String> wanted) {
    return rows.uses(wanted);
  }

  @Override
  public String sql(Set<String> wanted, List<String> inputs) {
    return rows.sql(wanted, inputs);
  }

  Projection limited(int limit) {
    return new Projection(
        rows.select(),
        rows.columns(),
        names -> rows.rest().apply(names) + " LIMIT " + limit,
        rows.used());
  }
}

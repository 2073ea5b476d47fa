package io.tidemill.api;

import java.util.Optional;
import java.util.Set;

/**
 * An item of a SELECT list.
 *
 * @param name what programs call it
 * @param sql the expression
 * @param uses the columns in it
 * @param source the column it is, if it is nothing but a column
 */
record Item(String name, String sql, Set<Body.Use> uses, Optional<Output> source) {
  Item {
    uses = Set.copyOf(uses);
  }

  Item withSql(String changed) {
    return new Item(name, changed, uses, source);
  }

  Item named(String newName) {
    return new Item(newName, sql, uses, source);
  }
}

package io.tidemill.api;

import java.util.Set;

/**
 * SQL with the columns it uses.
 *
 * @param sql an expression, or several with commas between them
 */
record Written(String sql, Set<Body.Use> uses) {
  Written {
    uses = Set.copyOf(uses);
  }
}

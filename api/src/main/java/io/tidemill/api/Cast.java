package io.tidemill.api;

import io.tidemill.api.types.DataType;
import java.util.Locale;

/**
 * A change of type.
 *
 * @param lenient true to give null for what cannot be cast, else it is an error, as in Spark
 */
record Cast(Expression of, DataType type, boolean lenient) implements Expression {
  @Override
  public String sql(Scope scope) {
    boolean decodes = type.sql().equals("VARCHAR") && of instanceof Named n && scope.isBinary(n);
    if (decodes) {
      return Scope.decoded(of.sql(scope));
    }
    return (lenient ? "TRY_CAST(" : "CAST(") + of.sql(scope) + " AS " + type.sql() + ")";
  }

  @Override
  public String name() {
    return of instanceof Named
        ? of.name()
        : "CAST(" + of.name() + " AS " + type.sql().toUpperCase(Locale.ROOT) + ")";
  }
}

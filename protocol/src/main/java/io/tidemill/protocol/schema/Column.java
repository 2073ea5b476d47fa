package io.tidemill.protocol.schema;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A named, typed column.
 *
 * @param name as written; names are compared without case
 * @param type a DuckDB type, e.g. {@code DECIMAL(18,2)}
 * @param required true if a null is an error
 */
public record Column(String name, String type, @JsonProperty("required") boolean required) {
  public Column {
    if (name.isEmpty() || type.isEmpty()) {
      throw new IllegalArgumentException("a column needs a name and a type");
    }
  }

  public static Column of(String name, String type) {
    return new Column(name, type, false);
  }
}

package io.tidemill.api;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A column of a step.
 *
 * @param name what programs call it; after a join two may share a name
 * @param sqlName what the step's SELECT calls it, unique in the step
 * @param type DuckDB's type
 * @param origins names it had in the steps it was handed down from, by the step's number, so that
 *     {@code orders.col("id")} still finds it behind a join
 * @param qualifier alias of the dataset it belongs to
 * @param isHidden true if a star leaves it out
 */
record Output(
    String name,
    String sqlName,
    String type,
    Map<Long, String> origins,
    Optional<String> qualifier,
    boolean isHidden) {
  Output {
    origins = Map.copyOf(origins);
  }

  /** A column made anew. */
  static Output of(String name, String sqlName, String type) {
    return new Output(name, sqlName, type, Map.of(), Optional.empty(), false);
  }

  boolean isCalled(String other) {
    return name.equalsIgnoreCase(other);
  }

  boolean camesFrom(long step, String nameThere) {
    return nameThere.equalsIgnoreCase(origins.get(step));
  }

  /** The same column as one of the given step. */
  Output in(long step) {
    Map<Long, String> more = new TreeMap<>(origins);
    more.put(step, name.toLowerCase(Locale.ROOT));
    return new Output(name, sqlName, type, more, qualifier, isHidden);
  }

  Output typed(String newType) {
    return new Output(name, sqlName, newType, origins, qualifier, isHidden);
  }

  Output qualified(String alias) {
    return new Output(name, sqlName, type, origins, Optional.of(alias), isHidden);
  }
}

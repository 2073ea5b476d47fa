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
 * @param kind whether it is special
 */
record Output(
    String name,
    String sqlName,
    String type,
    Map<Long, String> origins,
    Optional<String> qualifier,
    Kind kind) {
  Output {
    origins = Map.copyOf(origins);
  }

  /** What is special about a column. */
  enum Kind {
    PLAIN,
    /** It must be named; a star leaves it out. */
    HIDDEN,
    /** It has a watermark. */
    EVENT_TIME
  }

  /** A column made anew. */
  static Output of(String name, String sqlName, String type) {
    return new Output(name, sqlName, type, Map.of(), Optional.empty(), Kind.PLAIN);
  }

  /** A column that must be named. */
  static Output hidden(String name, String type) {
    return new Output(name, name, type, Map.of(), Optional.empty(), Kind.HIDDEN);
  }

  boolean isHidden() {
    return kind == Kind.HIDDEN;
  }

  boolean isEventTime() {
    return kind == Kind.EVENT_TIME;
  }

  boolean isCalled(String other) {
    return name.equalsIgnoreCase(other);
  }

  boolean comesFrom(long step, String nameThere) {
    return nameThere.equalsIgnoreCase(origins.get(step));
  }

  /** The same column as one of the given step. */
  Output in(long step) {
    Map<Long, String> more = new TreeMap<>(origins);
    more.put(step, name.toLowerCase(Locale.ROOT));
    return new Output(name, sqlName, type, more, qualifier, kind);
  }

  /** The column handed down under another name in SQL; it has been named, so it shows. */
  Output sqlNamed(String newName) {
    Kind shown = isHidden() ? Kind.PLAIN : kind;
    return new Output(name, newName, type, origins, qualifier, shown);
  }

  Output typed(String newType) {
    return new Output(name, sqlName, newType, origins, qualifier, kind);
  }

  Output qualified(String alias) {
    return new Output(name, sqlName, type, origins, Optional.of(alias), kind);
  }

  Output asEventTime() {
    return new Output(name, sqlName, type, origins, qualifier, Kind.EVENT_TIME);
  }
}

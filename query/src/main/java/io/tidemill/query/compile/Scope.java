package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.query.sql.Select;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The common tables and views a query can name, innermost first. */
final class Scope {
  private final Scope outer;
  private final Map<String, Named> names = new LinkedHashMap<>();

  /**
   * A named query.
   *
   * @param entry its entry in the parse tree's list of common tables
   * @param scope the names it can use itself
   */
  record Named(String name, JsonNode entry, Scope scope) {
    Select query() {
      return Select.ofCommonTable(entry);
    }
  }

  private Scope(Scope outer) {
    this.outer = outer;
  }

  static Scope empty() {
    return new Scope(null);
  }

  /** This scope with a query's common tables in front; each sees those before it. */
  Scope with(Map<String, JsonNode> commonTables) {
    Scope scope = this;
    for (Map.Entry<String, JsonNode> table : commonTables.entrySet()) {
      Scope inner = new Scope(scope);
      String key = table.getKey().toLowerCase(Locale.ROOT);
      inner.names.put(key, new Named(table.getKey(), table.getValue(), scope));
      scope = inner;
    }
    return scope;
  }

  Optional<Named> find(String name) {
    String key = name.toLowerCase(Locale.ROOT);
    for (Scope s = this; s != null; s = s.outer) {
      if (s.names.containsKey(key)) {
        return Optional.of(s.names.get(key));
      }
    }
    return Optional.empty();
  }

  /** All visible names, outermost first. */
  Map<String, Named> all() {
    Map<String, Named> all = outer == null ? new LinkedHashMap<>() : outer.all();
    all.putAll(names);
    return all;
  }
}

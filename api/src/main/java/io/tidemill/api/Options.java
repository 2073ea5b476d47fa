package io.tidemill.api;

import io.tidemill.query.job.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Options as a program sets them: names without case, the last value counts. */
final class Options {
  private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  void set(String name, Object value) {
    values.put(name, String.valueOf(value));
  }

  void setAll(Map<String, String> options) {
    options.forEach(this::set);
  }

  /** Takes an option out. */
  Optional<String> take(String name) {
    return Optional.ofNullable(values.remove(name));
  }

  Map<String, String> values() {
    return new LinkedHashMap<>(values);
  }

  /** As options of a statement. */
  static Map<String, Statement.Option> statement(
      String connector, Map<String, String> values, int offset) {
    Map<String, Statement.Option> options = new LinkedHashMap<>();
    values.forEach((name, value) -> options.put(name, new Statement.Option(value, offset)));
    options.put("connector", new Statement.Option(connector, offset));
    return options;
  }
}

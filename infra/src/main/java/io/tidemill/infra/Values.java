package io.tidemill.infra;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Views of what YAML gives. */
final class Values {
  private Values() {}

  static Map<String, Object> map(Object value) {
    if (!(value instanceof Map<?, ?> given)) {
      throw new IllegalArgumentException("not a map: " + value);
    }
    Map<String, Object> map = new LinkedHashMap<>();
    given.forEach((key, content) -> map.put(String.valueOf(key), content));
    return map;
  }

  static List<Object> list(Object value) {
    if (!(value instanceof List<?> given)) {
      throw new IllegalArgumentException("not a list: " + value);
    }
    return List.copyOf(given);
  }

  /** A list, or one value that stands for a list of one. */
  static List<String> texts(Object value) {
    return value instanceof List<?> given
        ? given.stream().map(Values::text).toList()
        : List.of(text(value));
  }

  static String text(Object value) {
    if (value instanceof Map<?, ?> || value instanceof List<?> || value == null) {
      throw new IllegalArgumentException("not a text: " + value);
    }
    return value.toString();
  }
}

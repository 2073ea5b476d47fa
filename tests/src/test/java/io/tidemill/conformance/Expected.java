package io.tidemill.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares rows with those of a trace: as multisets, numbers by value, doubles with a tolerance,
 * names without case.
 */
final class Expected {
  private static final double TOLERANCE = 1e-9;

  private Expected() {}

  /** Empty if the rows are those expected, else what differs. */
  static List<String> differences(
      JsonNode expected, List<Map<String, Object>> actual, Set<String> approximate) {
    List<Map<String, Object>> missing = new ArrayList<>();
    expected.forEach(r -> missing.add(lowerCase(object(r))));
    List<String> differences = new ArrayList<>();
    for (Map<String, Object> row : actual) {
      Map<String, Object> normal = lowerCase(row);
      int found = -1;
      for (int i = 0; i < missing.size() && found < 0; i++) {
        found = sameRow(missing.get(i), normal, approximate) ? i : -1;
      }
      if (found >= 0) {
        missing.remove(found);
      } else {
        differences.add("unexpected " + normal);
      }
    }
    missing.forEach(r -> differences.add("missing " + r));
    return differences;
  }

  private static boolean sameRow(
      Map<String, Object> expected, Map<String, Object> actual, Set<String> approximate) {
    return expected.keySet().equals(actual.keySet())
        && expected.entrySet().stream()
            .allMatch(
                e ->
                    approximate.contains(e.getKey()) || same(e.getValue(), actual.get(e.getKey())));
  }

  private static Map<String, Object> object(JsonNode node) {
    Map<String, Object> fields = new TreeMap<>();
    node.fields().forEachRemaining(f -> fields.put(f.getKey(), value(f.getValue())));
    return fields;
  }

  private static Object value(JsonNode node) {
    if (node.isNull()) {
      return null;
    }
    if (node.isObject()) {
      return object(node);
    }
    if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(n -> list.add(value(n)));
      return list;
    }
    return node.isNumber()
        ? node.decimalValue()
        : node.isBoolean() ? node.asBoolean() : node.asText();
  }

  private static Map<String, Object> lowerCase(Map<?, ?> row) {
    Map<String, Object> lower = new TreeMap<>();
    row.forEach((k, v) -> lower.put(String.valueOf(k).toLowerCase(Locale.ROOT), v));
    return lower;
  }

  private static boolean same(Object expected, Object actual) {
    if (expected == null || actual == null) {
      return expected == actual;
    }
    if (expected instanceof Map<?, ?> e && actual instanceof Map<?, ?> a) {
      Map<String, Object> x = lowerCase(e);
      Map<String, Object> y = lowerCase(a);
      return x.keySet().equals(y.keySet())
          && x.keySet().stream().allMatch(k -> same(x.get(k), y.get(k)));
    }
    if (expected instanceof List<?> e && actual instanceof Collection<?> a) {
      List<?> y = List.copyOf(nullsMarked(a));
      List<?> x = List.copyOf(nullsMarked(e));
      boolean equal = x.size() == y.size();
      for (int i = 0; equal && i < x.size(); i++) {
        equal = same(x.get(i), y.get(i));
      }
      return equal;
    }
    Object number = number(actual);
    Object wanted =
        number instanceof Double || number instanceof BigDecimal ? number(expected) : null;
    if (wanted != null) {
      return sameNumber(wanted, number);
    }
    return text(expected).equals(text(actual));
  }

  private static List<Object> nullsMarked(Collection<?> values) {
    List<Object> marked = new ArrayList<>();
    values.forEach(v -> marked.add(v == null ? "null" : v));
    return marked;
  }

  private static boolean sameNumber(Object expected, Object actual) {
    if (expected instanceof BigDecimal e && actual instanceof BigDecimal a) {
      return e.compareTo(a) == 0;
    }
    double e = ((Number) expected).doubleValue();
    double a = ((Number) actual).doubleValue();
    return Double.compare(e, a) == 0
        || Math.abs(e - a) <= TOLERANCE * Math.max(1, Math.max(Math.abs(e), Math.abs(a)));
  }

  /** A double or decimal, or null if the value is no number. */
  private static Object number(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof Number) {
      return new BigDecimal(value.toString());
    }
    if (value instanceof String s) {
      if (List.of("NaN", "Infinity", "-Infinity").contains(s)) {
        return Double.valueOf(s);
      }
      return s.matches("-?\\d+(\\.\\d+)?") ? new BigDecimal(s) : null;
    }
    return null;
  }

  private static String text(Object value) {
    if (value instanceof Instant i) {
      return "at " + i;
    }
    if (value instanceof LocalDateTime t) {
      return "at " + t.toInstant(ZoneOffset.UTC);
    }
    if (value instanceof LocalDate d) {
      return d.toString();
    }
    String s = value.toString();
    return s.matches("\\d{4}-\\d\\d-\\d\\dT.*(Z|[+-]\\d\\d:\\d\\d)")
        ? "at " + OffsetDateTime.parse(s).toInstant()
        : s;
  }
}

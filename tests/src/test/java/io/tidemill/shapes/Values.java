package io.tidemill.shapes;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.duckdb.DuckDBStruct;

/**
 * Brings values of a memory sink and of the database to one form: {@code BigDecimal} without
 * trailing zeros, {@code Double}, {@code String}, {@code Boolean}, lists and sorted maps.
 */
final class Values {
  private Values() {}

  static Object of(Object value) {
    try {
      return normal(value);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object normal(Object value) throws SQLException {
    if (value == null || value instanceof Boolean || value instanceof String) {
      return value;
    }
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    if (value instanceof Number) {
      BigDecimal number =
          value instanceof BigInteger i ? new BigDecimal(i) : new BigDecimal(value.toString());
      return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    }
    if (value instanceof Blob blob) {
      return HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
    }
    if (value instanceof byte[] bytes) {
      return HexFormat.of().formatHex(bytes);
    }
    if (value instanceof Array array) {
      return list(java.util.Arrays.asList((Object[]) array.getArray()));
    }
    if (value instanceof List<?> list) {
      return list(list);
    }
    if (value instanceof Struct struct) {
      return map(((DuckDBStruct) struct).getMap());
    }
    return value instanceof Map<?, ?> map ? map(map) : time(value);
  }

  private static Object time(Object value) {
    if (value instanceof Timestamp time) {
      return time.toLocalDateTime().toInstant(ZoneOffset.UTC).toString();
    }
    if (value instanceof LocalDateTime time) {
      return time.toInstant(ZoneOffset.UTC).toString();
    }
    if (value instanceof OffsetDateTime time) {
      return time.toInstant().toString();
    }
    if (value instanceof Instant instant) {
      return instant.toString();
    }
    return value.toString();
  }

  private static List<Object> list(List<?> values) throws SQLException {
    List<Object> list = new ArrayList<>();
    for (Object value : values) {
      list.add(normal(value));
    }
    return list;
  }

  private static Map<String, Object> map(Map<?, ?> values) throws SQLException {
    Map<String, Object> map = new TreeMap<>();
    for (Map.Entry<?, ?> entry : values.entrySet()) {
      map.put(String.valueOf(normal(entry.getKey())), normal(entry.getValue()));
    }
    return map;
  }

  /** A list, or the parts of a text between commas, in an order that depends on nothing else. */
  static Object sorted(Object value) {
    if (value instanceof String text) {
      return sorted(new ArrayList<>(List.of(text.split(",", -1))));
    }
    if (value instanceof List<?> list) {
      List<Object> sorted = new ArrayList<>(list);
      sorted.sort(Comparator.comparing(String::valueOf));
      return sorted;
    }
    return value;
  }

  /** Equality, of floating values within a relative tolerance. */
  static boolean same(Object a, Object b, double tolerance) {
    if (a instanceof Double x && b instanceof Double y) {
      // The difference of infinity and anything is within infinite bounds.
      boolean finite = Double.isFinite(x) && Double.isFinite(y);
      return x.equals(y)
          || (finite
              && Math.abs(x - y) <= tolerance * Math.max(1, Math.max(Math.abs(x), Math.abs(y))));
    }
    if (a instanceof List<?> x && b instanceof List<?> y) {
      boolean same = x.size() == y.size();
      for (int i = 0; same && i < x.size(); i++) {
        same = same(x.get(i), y.get(i), tolerance);
      }
      return same;
    }
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      return x.keySet().equals(y.keySet())
          && x.keySet().stream().allMatch(k -> same(x.get(k), y.get(k), tolerance));
    }
    return a == null ? b == null : a.equals(b);
  }

  /** What equal rows have in common whatever the tolerance. */
  static String exactPart(List<Object> row) {
    StringBuilder text = new StringBuilder();
    for (Object value : row) {
      boolean scalar = !(value instanceof Double || value instanceof List || value instanceof Map);
      text.append(scalar ? value : "~").append('|');
    }
    return text.toString();
  }
}

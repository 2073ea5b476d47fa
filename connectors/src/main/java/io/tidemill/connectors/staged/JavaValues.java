package io.tidemill.connectors.staged;

import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBStruct;

/**
 * Values of a database as plain Java: {@code Instant} for points in time, {@code LocalDate}, {@code
 * BigDecimal}, {@code BigInteger} for HUGEINT, {@code byte[]} for BLOB, {@code List} for lists,
 * {@code Map} for structs and maps, and the boxed types for the rest.
 */
public final class JavaValues {
  private JavaValues() {}

  /** A value as {@code ResultSet.getObject} gives it; times must be TIMESTAMPTZ. */
  public static Object of(Object value) throws SQLException {
    if (value instanceof OffsetDateTime time) {
      return time.toInstant();
    }
    if (value instanceof Blob blob) {
      return blob.getBytes(1, (int) blob.length());
    }
    if (value instanceof Array array) {
      List<Object> list = new ArrayList<>();
      for (Object element : (Object[]) array.getArray()) {
        list.add(of(element));
      }
      return list;
    }
    if (value instanceof DuckDBStruct struct) {
      return map(struct.getMap());
    }
    if (value instanceof Map<?, ?> map) {
      return map(map);
    }
    if (value instanceof org.duckdb.JsonNode json) {
      return json.toString();
    }
    return value;
  }

  private static Map<Object, Object> map(Map<?, ?> values) throws SQLException {
    Map<Object, Object> map = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : values.entrySet()) {
      map.put(of(entry.getKey()), of(entry.getValue()));
    }
    return map;
  }
}

package io.tidemill.api.types;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Java values as constants in DuckDB's SQL, exactly. */
public final class Literals {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private Literals() {}

  /** A text, number, boolean, date, time, bytes or null. */
  public static String of(Object value) {
    if (value == null) {
      return "NULL";
    }
    if (value instanceof CharSequence || value instanceof Character) {
      return Sql.text(value.toString());
    }
    if (value instanceof Boolean) {
      return value.toString();
    }
    if (value instanceof Double || value instanceof Float) {
      return "CAST('" + value + "' AS " + (value instanceof Double ? "DOUBLE" : "FLOAT") + ")";
    }
    if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
      return "(" + value + ")";
    }
    if (value instanceof Long) {
      return "CAST('" + value + "' AS BIGINT)";
    }
    if (value instanceof BigDecimal decimal) {
      return "(" + decimal.toPlainString() + ")";
    }
    if (value instanceof BigInteger) {
      return "CAST('" + value + "' AS HUGEINT)";
    }
    return timeOrBytes(value);
  }

  private static String timeOrBytes(Object value) {
    if (value instanceof java.sql.Timestamp time) {
      return timestamp(time.toInstant().atOffset(ZoneOffset.UTC).toLocalDateTime());
    }
    if (value instanceof Instant instant) {
      return timestamp(instant.atOffset(ZoneOffset.UTC).toLocalDateTime());
    }
    if (value instanceof LocalDateTime time) {
      return timestamp(time);
    }
    if (value instanceof LocalDate || value instanceof java.sql.Date) {
      return "DATE '" + value + "'";
    }
    if (value instanceof byte[] bytes) {
      return "unhex('" + HexFormat.of().formatHex(bytes) + "')";
    }
    throw new TidemillException(
            ErrorCode.UNSUPPORTED,
            "A constant is a text, number, boolean, date, time or bytes; build others with struct,"
                + " array or expr.")
        .with("class", value.getClass().getName());
  }

  private static String timestamp(LocalDateTime time) {
    return "TIMESTAMP '" + TIME.format(time) + "'";
  }

  /** A value of the given type; lists, maps and structs too, the last two as {@code Map}. */
  public static String of(Object value, DataType type) {
    if (value == null) {
      return "CAST(NULL AS " + type.sql() + ")";
    }
    if (type instanceof DataType.Array array && value instanceof List<?> list) {
      return list.stream()
          .map(e -> of(e, array.element()))
          .collect(Collectors.joining(", ", "CAST([", "] AS " + type.sql() + ")"));
    }
    if (type instanceof DataType.Struct struct && value instanceof Map<?, ?> map) {
      return struct.fields().stream()
          .map(f -> Sql.name(f.name()) + " := " + of(map.get(f.name()), f.type()))
          .collect(Collectors.joining(", ", "struct_pack(", ")"));
    }
    if (type instanceof DataType.MapOf of && value instanceof Map<?, ?> map) {
      return "CAST(MAP {"
          + map.entrySet().stream()
              .map(e -> of(e.getKey(), of.key()) + ": " + of(e.getValue(), of.value()))
              .collect(Collectors.joining(", "))
          + "} AS "
          + type.sql()
          + ")";
    }
    return "CAST(" + of(value) + " AS " + type.sql() + ")";
  }
}

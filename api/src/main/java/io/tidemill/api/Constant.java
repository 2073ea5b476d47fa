package io.tidemill.api;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A constant.
 *
 * @param sql its SQL
 * @param name how Spark shows it
 */
record Constant(String sql, String name) implements Expression {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  /** SQL that is not a value, such as a unit or an interval. */
  static Constant sql(String sql) {
    return new Constant(sql, sql);
  }

  static Constant of(Object value) {
    return new Constant(literal(value), String.valueOf(value));
  }

  private static String literal(Object value) {
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

  @Override
  public String sql(Scope scope) {
    return sql;
  }
}

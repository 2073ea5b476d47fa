package io.tidemill.connectors.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemill.connectors.types.SqlType;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Texts that DuckDB casts to a type without loss, from JSON values. */
final class JsonTexts {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final Set<String> NOT_FINITE = Set.of("NaN", "Infinity", "-Infinity");

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendPattern("['T'][' ']")
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private JsonTexts() {}

  /** Fails for types that have no exact text. */
  static void check(SqlType type) {
    type.fields()
        .forEach(
            f -> {
              if (f.type().kind() == SqlType.Kind.BINARY) {
                throw new TidemillException(
                        ErrorCode.UNSUPPORTED, "A memory stream has no BLOB inside nested types.")
                    .with("type", type.text());
              }
              check(f.type());
            });
  }

  /**
   * The text, or null for null. A value that is not of the type fails with an {@code
   * IllegalArgumentException}, {@code ArithmeticException} or {@code DateTimeException}.
   */
  static String of(JsonNode value, SqlType type) {
    if (value == null || value.isNull()) {
      return null;
    }
    if (type.kind().isNested()) {
      return nested(value, type).toString();
    }
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.toString(expect(value.isBoolean(), value).booleanValue());
      case INTEGER -> number(value).setScale(0, RoundingMode.UNNECESSARY).toPlainString();
      case DECIMAL ->
          number(value).setScale(type.scale(), RoundingMode.UNNECESSARY).toPlainString();
      case FLOAT -> floating(value);
      case TEXT, BINARY -> expect(value.isTextual(), value).textValue();
      case DATE -> LocalDate.parse(expect(value.isTextual(), value).textValue()).toString();
      case TIMESTAMP -> timestamp(expect(value.isTextual(), value).textValue(), type);
      default -> value.isTextual() ? value.textValue() : value.toString();
    };
  }

  private static JsonNode expect(boolean isSo, JsonNode value) {
    if (!isSo) {
      throw new IllegalArgumentException("a JSON value of another kind: " + value.getNodeType());
    }
    return value;
  }

  private static BigDecimal number(JsonNode value) {
    expect(value.isNumber() || value.isTextual(), value);
    return value.isNumber() ? value.decimalValue() : new BigDecimal(value.textValue());
  }

  private static String floating(JsonNode value) {
    boolean isSpecial = value.isTextual() && NOT_FINITE.contains(value.textValue());
    boolean isNone = value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue());
    return isSpecial || isNone ? value.asText() : number(value).toString();
  }

  private static String timestamp(String text, SqlType type) {
    TemporalAccessor parsed = TIME.parse(text);
    LocalDateTime time = LocalDateTime.from(parsed);
    if (parsed.isSupported(ChronoField.OFFSET_SECONDS)) {
      time =
          time.atOffset(ZoneOffset.from(parsed))
              .withOffsetSameInstant(ZoneOffset.UTC)
              .toLocalDateTime();
    }
    if (parsed.get(ChronoField.NANO_OF_SECOND) % 1000 != 0) {
      throw new IllegalArgumentException("a time finer than microseconds");
    }
    return UTC.format(time) + (type.text().toUpperCase(Locale.ROOT).contains("Z") ? "+00" : "");
  }

  private static JsonNode nested(JsonNode value, SqlType type) {
    if (value == null || value.isNull()) {
      return NODES.nullNode();
    }
    return switch (type.kind()) {
      case LIST -> {
        ArrayNode list = NODES.arrayNode();
        expect(value.isArray(), value).forEach(e -> list.add(nested(e, type.element())));
        yield list;
      }
      case MAP -> {
        ObjectNode map = NODES.objectNode();
        SqlType values = type.fields().get(1).type();
        expect(value.isObject(), value)
            .properties()
            .forEach(e -> map.set(e.getKey(), nested(e.getValue(), values)));
        yield map;
      }
      case STRUCT -> struct(expect(value.isObject(), value), type);
      default -> NODES.textNode(of(value, type));
    };
  }

  private static JsonNode struct(JsonNode value, SqlType type) {
    ObjectNode struct = NODES.objectNode();
    for (SqlType.Field field : type.fields()) {
      struct.set(field.name(), NODES.nullNode());
    }
    for (var entry : value.properties()) {
      Optional<SqlType.Field> field =
          type.fields().stream().filter(f -> f.name().equalsIgnoreCase(entry.getKey())).findFirst();
      if (field.isEmpty()) {
        throw new IllegalArgumentException("a struct has no field " + entry.getKey());
      }
      struct.set(field.get().name(), nested(entry.getValue(), field.get().type()));
    }
    return struct;
  }
}

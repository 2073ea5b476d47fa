package io.tidemill.query.compile;

import static io.tidemill.query.compile.JsonValue.startsWith;

import io.tidemill.protocol.Json;
import io.tidemill.protocol.schema.Sql;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of one of DuckDB's types. What kind a JSON value is shows its first character, and DuckDB
 * writes a number with a point or exponent only if it is no whole one.
 */
record JsonLeaf(String type) implements JsonValue {
  private static final Set<String> TEXTS = Set.of("VARCHAR", "TEXT", "STRING", "CHAR", "BPCHAR");
  private static final Set<String> BOOLEANS = Set.of("BOOLEAN", "BOOL", "LOGICAL");
  private static final Set<String> DOUBLES = Set.of("DOUBLE", "FLOAT8", "FLOAT", "REAL", "FLOAT4");
  private static final Set<String> INTEGERS =
      Set.of(
          ("TINYINT SMALLINT INTEGER INT BIGINT LONG SHORT INT1 INT2 INT4 INT8 HUGEINT UTINYINT"
                  + " USMALLINT UINTEGER UBIGINT UHUGEINT")
              .split(" "));

  /** Decimal digits that a double, DuckDB's form of a JSON number, keeps. */
  private static final int DOUBLE_DIGITS = 15;

  private String upper() {
    return type.toUpperCase(Locale.ROOT);
  }

  @Override
  public boolean usesText() {
    return !upper().equals("JSON")
        && !BOOLEANS.contains(upper())
        && !INTEGERS.contains(upper())
        && !upper().startsWith("STRUCT");
  }

  @Override
  public String over(String json, String text) {
    String isText = startsWith(json, "\"");
    if (TEXTS.contains(upper())) {
      return text;
    }
    if (upper().equals("JSON")) {
      return json;
    }
    if (BOOLEANS.contains(upper())) {
      return "CASE CAST(" + json + " AS VARCHAR) WHEN 'true' THEN true WHEN 'false' THEN false END";
    }
    if (INTEGERS.contains(upper())) {
      return when(isWhole(json), cast(json));
    }
    if (DOUBLES.contains(upper())) {
      return when(
          isNumber(json) + " OR " + text + " IN ('NaN', 'Infinity', '-Infinity')", cast(text));
    }
    if (upper().startsWith("DECIMAL") || upper().startsWith("NUMERIC")) {
      return when(isText + " OR (" + isNumber(json) + " AND " + isExact(text) + ")", cast(text));
    }
    if (upper().startsWith("STRUCT")) {
      String structure = Sql.text(Json.write(type));
      return when(startsWith(json, "{"), "TRY(from_json(" + json + ", " + structure + "))");
    }
    return switch (upper()) {
      case "DATE" -> when(isText + " AND isfinite(" + cast(text) + ")", cast(text));
      case "TIMESTAMP", "DATETIME" -> "make_timestamp(" + micros(json, text) + ")";
      case "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE" ->
          "make_timestamptz(" + micros(json, text) + ")";
      case "BLOB", "BYTEA", "BINARY", "VARBINARY" -> when(isText, "TRY(from_base64(" + text + "))");
      default -> when(isText, cast(text));
    };
  }

  private static String when(String condition, String value) {
    return "CASE WHEN " + condition + " THEN " + value + " END";
  }

  private String cast(String text) {
    return "TRY_CAST(" + text + " AS " + type + ")";
  }

  private static String isNumber(String json) {
    return "substr(" + json + ", 1, 1) IN ('-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9')";
  }

  private static String isWhole(String json) {
    return isNumber(json)
        + " AND NOT contains("
        + json
        + ", '.') AND NOT contains("
        + json
        + ", 'e')";
  }

  /** A number whose digits down to the type's scale a double holds. */
  private String isExact(String text) {
    Matcher size = Pattern.compile("\\((\\d+)\\s*,\\s*(\\d+)\\)").matcher(type);
    boolean sized = size.find();
    int precision = sized ? Integer.parseInt(size.group(1)) : 18;
    int scale = sized ? Integer.parseInt(size.group(2)) : 3;
    if (precision <= DOUBLE_DIGITS) {
      return "true";
    }
    String magnitude = "abs(TRY_CAST(" + text + " AS DOUBLE)) < 1e";
    String digits = "strlen(regexp_replace(" + text + ", '[^0-9]', '', 'g'))";
    return "("
        + magnitude
        + (DOUBLE_DIGITS - scale)
        + " OR NOT contains("
        + text
        + ", '.') OR ("
        + magnitude
        + DOUBLE_DIGITS
        + " AND "
        + digits
        + " <= "
        + DOUBLE_DIGITS
        + "))";
  }

  /** Text with or without an offset, or whole seconds since 1970. */
  private static String micros(String json, String text) {
    return "CASE WHEN "
        + startsWith(json, "\"")
        + " THEN epoch_us(TRY_CAST("
        + text
        + " AS TIMESTAMPTZ)) WHEN "
        + isWhole(json)
        + " THEN TRY(TRY_CAST("
        + text
        + " AS BIGINT) * 1000000) END";
  }
}

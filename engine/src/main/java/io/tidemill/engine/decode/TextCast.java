package io.tidemill.engine.decode;

import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a text becomes a typed value, strictly: what does not fit is not rounded, cut or made null
 * but reported. Both parts are SQL expressions over the same text expression.
 *
 * @param value the typed value, null if the text is null or does not fit
 * @param fits true if the text fits; only asked where the text is not null
 */
record TextCast(String value, String fits) {

  /**
   * @param type a DuckDB type
   * @param text an expression of type VARCHAR; for nested types it holds JSON
   */
  static TextCast of(String type, String text) {
    String t = type.toUpperCase(Locale.ROOT);
    if (t.endsWith("[]")) {
      return list(type.substring(0, type.length() - 2), text);
    }
    if (t.startsWith("STRUCT(")) {
      return struct(type, text);
    }
    if (t.startsWith("MAP(")) {
      return map(type, text);
    }
    String cast = "TRY_CAST(" + text + " AS " + type + ")";
    if (t.startsWith("DECIMAL")) {
      return decimal(type, text, cast);
    }
    return switch (t) {
      case "VARCHAR" -> new TextCast(text, "true");
      case "JSON" -> new TextCast(text + "::JSON", "json_valid(" + text + ")");
      case "BOOLEAN" -> {
        String value = "CASE " + text + " WHEN 'true' THEN true WHEN 'false' THEN false END";
        yield new TextCast(value, text + " IN ('true', 'false')");
      }
      case "TINYINT",
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "HUGEINT",
          "UTINYINT",
          "USMALLINT",
          "UINTEGER",
          "UBIGINT",
          "UHUGEINT",
          "DATE" ->
          // Only the canonical spelling: 4.7, 1e3 and 2024-01-01T10:00 would lose something.
          new TextCast(cast, "coalesce(CAST(" + cast + " AS VARCHAR) = " + text + ", false)");
      case "DOUBLE", "FLOAT" ->
          new TextCast(
              cast,
              "("
                  + cast
                  + " IS NOT NULL AND (NOT isinf("
                  + cast
                  + ") OR "
                  + text
                  + " ILIKE '%inf%'))");
      case "TIMESTAMP" -> {
        // Through TIMESTAMPTZ, because a cast to TIMESTAMP ignores an offset such as +02:00.
        String zoned = "TRY_CAST(" + text + " AS TIMESTAMPTZ)";
        yield new TextCast("make_timestamp(epoch_us(" + zoned + "))", zoned + " IS NOT NULL");
      }
      case "BLOB" -> {
        String value = "TRY(from_base64(" + text + "))";
        yield new TextCast(value, value + " IS NOT NULL");
      }
      default -> new TextCast(cast, cast + " IS NOT NULL");
    };
  }

  /** Significant decimal digits that a double keeps. */
  private static final int DOUBLE_DIGITS = 15;

  /**
   * A text of a field of a JSON object that is exact although DuckDB reads JSON numbers as doubles:
   * where the column's type can hold more digits than a double keeps, the digits are looked up in
   * the record itself; if they are not found there for certain, the text is null.
   *
   * @param text the field's text as DuckDB extracted it
   * @param record the whole record's text
   */
  static String exactText(String type, String name, String text, String record) {
    int precision = precision(type);
    int scale = scale(type);
    if (precision <= DOUBLE_DIGITS) {
      return text;
    }
    String pattern = Sql.text("\"" + escaped(name) + "\"\\s*:\\s*\"?(-?[0-9][0-9.eE+-]*)\"?");
    String found =
        "list_distinct(list_filter(regexp_extract_all("
            + record
            + ", "
            + pattern
            + ", 1), lambda c: TRY_CAST(c AS DOUBLE) = TRY_CAST("
            + text
            + " AS DOUBLE)))";
    // None or several give a text that is no number.
    String exact = "array_to_string(" + found + ", ' and ')";
    return "CASE WHEN strlen("
        + text
        + ") <= "
        + (DOUBLE_DIGITS - scale)
        + " THEN "
        + text
        + " WHEN "
        + text
        + " IS NULL THEN NULL ELSE "
        + exact
        + " END";
  }

  /** A name as a pattern that only it matches. */
  private static String escaped(String name) {
    return name.replaceAll("[\\p{Punct}&&[^_]]", "\\\\$0");
  }

  private static int precision(String type) {
    int open = type.indexOf('(');
    int comma = type.indexOf(',');
    return comma < 0 ? 18 : Integer.parseInt(type.substring(open + 1, comma).strip());
  }

  private static int scale(String type) {
    int comma = type.indexOf(',');
    return comma < 0 ? 3 : Integer.parseInt(type.substring(comma + 1, type.length() - 1).strip());
  }

  private static TextCast decimal(String type, String text, String cast) {
    int scale = scale(type);
    String wide = "TRY_CAST(" + text + " AS DECIMAL(38,18))";
    String fits =
        "(CASE WHEN "
            + cast
            + " IS NULL THEN false WHEN contains(lower("
            + text
            + "), 'e') THEN coalesce("
            + wide
            + " = "
            + cast
            + ", false) WHEN strpos("
            + text
            + ", '.') = 0 OR strlen("
            + text
            + ") - strpos("
            + text
            + ", '.') <= "
            + scale
            + " THEN true ELSE strlen(rtrim("
            + text
            + ", '0')) - strpos("
            + text
            + ", '.') <= "
            + scale
            + " END)";
    return new TextCast(cast, fits);
  }

  private static TextCast list(String element, String text) {
    String items = "TRY(from_json(" + text + ", '[\"JSON\"]'))";
    TextCast each = of(element, "(x ->> '$')");
    String isArray = "(TRY(json_type(" + text + ")) IS NOT DISTINCT FROM 'ARRAY')";
    return new TextCast(
        "list_transform(" + items + ", lambda x: " + each.value() + ")",
        "("
            + isArray
            + " AND coalesce(list_bool_and(list_transform("
            + items
            + ", lambda x: (x ->> '$') IS NULL OR "
            + each.fits()
            + ")), true))");
  }

  private static TextCast struct(String type, String text) {
    List<String> values = new ArrayList<>();
    List<String> fits = new ArrayList<>();
    fits.add("(TRY(json_type(" + text + ")) IS NOT DISTINCT FROM 'OBJECT')");
    for (String field : split(type.substring("STRUCT(".length(), type.length() - 1))) {
      int end = field.startsWith("\"") ? field.indexOf('"', 1) + 1 : field.indexOf(' ');
      String name = field.substring(0, end).replace("\"", "");
      String path = Sql.text("$.\"" + name + "\"");
      String part = "TRY(json_extract_string(" + text + ", " + path + "))";
      TextCast cast = of(field.substring(end).strip(), part);
      values.add(Sql.name(name) + " := " + cast.value());
      fits.add("(" + part + " IS NULL OR " + cast.fits() + ")");
    }
    String value =
        "CASE WHEN "
            + text
            + " IS NOT NULL THEN struct_pack("
            + String.join(", ", values)
            + ") END";
    return new TextCast(value, "(" + String.join(" AND ", fits) + ")");
  }

  private static TextCast map(String type, String text) {
    List<String> parts = split(type.substring("MAP(".length(), type.length() - 1));
    String entries = "map_entries(TRY(from_json(" + text + ", '\"MAP(VARCHAR, JSON)\"')))";
    TextCast key = of(parts.get(0), "e.key");
    TextCast value = of(parts.get(1), "(e.value ->> '$')");
    return new TextCast(
        "map_from_entries(list_transform("
            + entries
            + ", lambda e: {'k': "
            + key.value()
            + ", 'v': "
            + value.value()
            + "}))",
        "((TRY(json_type("
            + text
            + ")) IS NOT DISTINCT FROM 'OBJECT') AND"
            + " coalesce(list_bool_and(list_transform("
            + entries
            + ", lambda e: "
            + key.fits()
            + " AND ((e.value ->> '$') IS NULL OR "
            + value.fits()
            + "))), true))");
  }

  /** Splits at the commas outside brackets and quotes. */
  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || (text.charAt(i) == ',' && depth == 0 && !quoted)) {
        parts.add(text.substring(start, i).strip());
        start = i + 1;
      } else {
        char c = text.charAt(i);
        quoted ^= c == '"';
        depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
      }
    }
    return parts;
  }
}

package io.tidemill.api.types;

import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses types and column lists in Spark's spelling; DuckDB's is accepted too. */
final class DdlParser {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*(?:`([^`]+)`|\"([^\"]+)\"|'([^']*)'|(\\w+)|(.))", Pattern.DOTALL);

  /** Spark's names that DuckDB lacks or means something else by. */
  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("STRING", "VARCHAR"),
          Map.entry("CHAR", "VARCHAR"),
          Map.entry("BYTE", "TINYINT"),
          Map.entry("SHORT", "SMALLINT"),
          Map.entry("INT", "INTEGER"),
          Map.entry("LONG", "BIGINT"),
          Map.entry("REAL", "FLOAT"),
          Map.entry("BINARY", "BLOB"),
          Map.entry("TIMESTAMP_LTZ", "TIMESTAMP"),
          Map.entry("TIMESTAMP_NTZ", "TIMESTAMP"),
          Map.entry("DEC", "DECIMAL"),
          Map.entry("NUMERIC", "DECIMAL"));

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private record Token(String text, boolean quoted) {}

  DdlParser(String text) {
    this.text = text;
    Matcher m = TOKEN.matcher(text.strip());
    while (m.find()) {
      for (int group = 1; group <= m.groupCount(); group++) {
        if (m.group(group) != null) {
          tokens.add(new Token(m.group(group), group <= 3));
        }
      }
    }
  }

  /** The whole text as one type. */
  DataType type() {
    DataType type = oneType();
    end();
    return type;
  }

  /** The whole text as a list of columns. */
  DataType.Struct columns() {
    List<DataType.Field> columns = new ArrayList<>();
    do {
      columns.add(field());
    } while (accept(","));
    end();
    return new DataType.Struct(columns);
  }

  private DataType.Field field() {
    String name = take();
    accept(":");
    DataType type = oneType();
    boolean required = accept("not");
    if (required && !accept("null")) {
      throw wrong("NULL behind NOT");
    }
    if (accept("comment")) {
      take();
    }
    return new DataType.Field(name, type, required);
  }

  private DataType oneType() {
    DataType type = plainType();
    while (accept("[")) {
      expect("]");
      type = new DataType.Array(type);
    }
    return type;
  }

  private DataType plainType() {
    String name = take().toUpperCase(Locale.ROOT);
    boolean angle = accept("<");
    String close = angle ? ">" : ")";
    boolean nested = angle || (List.of("STRUCT", "MAP").contains(name) && accept("("));
    if (!nested) {
      return scalar(name);
    }
    return switch (name) {
      case "ARRAY" -> {
        DataType element = oneType();
        expect(close);
        yield new DataType.Array(element);
      }
      case "MAP" -> {
        DataType key = oneType();
        expect(",");
        DataType value = oneType();
        expect(close);
        yield new DataType.MapOf(key, value);
      }
      case "STRUCT" -> {
        List<DataType.Field> fields = new ArrayList<>();
        while (!accept(close)) {
          fields.add(field());
          accept(",");
        }
        yield new DataType.Struct(fields);
      }
      default -> throw wrong("ARRAY, MAP or STRUCT");
    };
  }

  private DataType scalar(String name) {
    List<String> sizes = new ArrayList<>();
    if (accept("(")) {
      do {
        sizes.add(take());
      } while (accept(","));
      expect(")");
    }
    String type = NAMES.getOrDefault(name, name);
    if (!type.matches("[A-Z][A-Z0-9_]*")) {
      throw wrong("a type");
    }
    if (type.equals("DECIMAL")) {
      // Spark: DECIMAL alone has 10 digits and none behind the point; DuckDB would take (18, 3).
      String precision = sizes.isEmpty() ? "10" : sizes.get(0);
      String scale = sizes.size() < 2 ? "0" : sizes.get(1);
      return new DataType.Scalar("DECIMAL(" + precision + "," + scale + ")");
    }
    return new DataType.Scalar(type);
  }

  private String take() {
    if (at >= tokens.size()) {
      throw wrong("more text");
    }
    return tokens.get(at++).text();
  }

  private boolean accept(String word) {
    boolean there =
        at < tokens.size()
            && !tokens.get(at).quoted()
            && tokens.get(at).text().equalsIgnoreCase(word);
    if (there) {
      at++;
    }
    return there;
  }

  private void expect(String word) {
    if (!accept(word)) {
      throw wrong("'" + word + "'");
    }
  }

  private void end() {
    if (at < tokens.size()) {
      throw wrong("a comma or the end");
    }
  }

  private TidemillException wrong(String expected) {
    String found = at < tokens.size() ? tokens.get(at).text() : "the end";
    return new TidemillException(
            ErrorCode.JOB_SYNTAX,
            "The text is no type or list of columns, such as 'id STRING, amount DECIMAL(18,2)'.")
        .with("text", text)
        .with("expected", expected)
        .with("found", found);
  }
}

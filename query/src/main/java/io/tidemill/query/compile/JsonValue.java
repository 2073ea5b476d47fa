package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.schema.Sql;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a JSON value becomes a typed one, leniently: null where it is of another kind or out of
 * range. Spark 4.2: JacksonParser.
 */
sealed interface JsonValue
    permits JsonValue.Fields, JsonValue.Elements, JsonValue.Entries, JsonLeaf {
  /**
   * The typed value, or null.
   *
   * @param json an expression of type JSON as DuckDB writes it, without blanks in front
   * @param text an expression of what {@code json ->> '$'} gives
   */
  String over(String json, String text);

  /** Whether the text is used. */
  default boolean usesText() {
    return false;
  }

  /**
   * @param structure DuckDB's structure: an object of fields, a list of one element, or a type
   */
  static JsonValue of(JsonNode structure) {
    return of(structure, 0);
  }

  /**
   * @param depth how deep the value stands, for names that do not clash
   */
  private static JsonValue of(JsonNode structure, int depth) {
    if (structure.isObject()) {
      Map<String, JsonValue> fields = new LinkedHashMap<>();
      structure.fields().forEachRemaining(f -> fields.put(f.getKey(), of(f.getValue(), depth + 1)));
      return new Fields(fields, depth);
    }
    if (structure.isArray()) {
      return new Elements(of(structure.get(0), depth + 1), depth);
    }
    String type = structure.asText().strip();
    if (type.endsWith("[]")) {
      String element = type.substring(0, type.length() - 2);
      return new Elements(of(TextNode.valueOf(element), depth + 1), depth);
    }
    Matcher map = Entries.TYPE.matcher(type);
    return map.matches()
        ? new Entries(map.group(1), of(TextNode.valueOf(map.group(2)), depth + 1), depth)
        : new JsonLeaf(type);
  }

  private static String text(String json) {
    return "(" + json + " ->> '$')";
  }

  /** Whether a JSON value starts with a character. */
  static String startsWith(String json, String character) {
    return "starts_with(" + json + ", '" + character + "')";
  }

  /** An expression in which a name stands for the value of another, computed once. */
  static String let(String name, String value, String expression) {
    return "list_extract(list_transform(["
        + value
        + "], lambda "
        + name
        + ": "
        + expression
        + "), 1)";
  }

  /** The typed values if each is there that is no JSON null; one wrong value spoils all. */
  private static String whole(String raw, String typed, int depth) {
    String values = "tidemill_values_" + depth;
    String present = "tidemill_present_" + depth;
    return let(
        values,
        typed,
        "CASE WHEN len(list_filter("
            + raw
            + ", lambda "
            + present
            + ": "
            + present
            + " IS NOT NULL)) = list_count("
            + values
            + ") THEN "
            + values
            + " END");
  }

  /** A structure; members that are not among its fields do not matter. */
  record Fields(Map<String, JsonValue> values, int depth) implements JsonValue {
    @Override
    public String over(String json, String text) {
      return "CASE WHEN " + startsWith(json, "{") + " THEN " + ofObject(json) + " END";
    }

    /** The structure of an expression that is known to be an object. */
    String ofObject(String json) {
      String row = "tidemill_fields_" + depth;
      String texts = "tidemill_texts_" + depth;
      List<String> items = new ArrayList<>();
      values.forEach(
          (name, value) -> {
            String field = "." + Sql.name(name);
            items.add(Sql.name(name) + " := " + value.over(row + field, texts + field));
          });
      String packed = "struct_pack(" + String.join(", ", items) + ")";
      // Parsing twice, once for the kinds and once for the texts, is far cheaper than per field.
      if (values.values().stream().anyMatch(JsonValue::usesText)) {
        packed = let(texts, fields(json, "VARCHAR", JsonValue::usesText), packed);
      }
      return let(row, fields(json, "JSON", v -> true), packed);
    }

    private String fields(String json, String type, Predicate<JsonValue> chosen) {
      ObjectNode structure = JsonNodeFactory.instance.objectNode();
      values.forEach(
          (name, value) -> {
            if (chosen.test(value)) {
              structure.put(name, type);
            }
          });
      return "from_json(" + json + ", " + Sql.text(Json.write(structure)) + ")";
    }
  }

  /** A list. */
  record Elements(JsonValue element, int depth) implements JsonValue {
    @Override
    public String over(String json, String text) {
      String item = "tidemill_item_" + depth;
      String list = "tidemill_list_" + depth;
      String typed =
          "list_transform("
              + list
              + ", lambda "
              + item
              + ": "
              + element.over(item, text(item))
              + ")";
      return "CASE WHEN "
          + startsWith(json, "[")
          + " THEN "
          + let(list, "from_json(" + json + ", '[\"JSON\"]')", whole(list, typed, depth))
          + " END";
    }
  }

  /** A map. */
  record Entries(String keyType, JsonValue value, int depth) implements JsonValue {
    static final Pattern TYPE =
        Pattern.compile("MAP\\(\\s*(\\w+)\\s*,(.*)\\)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    @Override
    public String over(String json, String text) {
      String map = "tidemill_map_" + depth;
      String item = "tidemill_item_" + depth;
      String found = "tidemill_found_" + depth;
      String raw = "map_values(" + map + ")";
      String typed =
          "list_transform(" + raw + ", lambda " + item + ": " + value.over(item, text(item)) + ")";
      String keys = "CAST(map_keys(" + map + ") AS " + keyType + "[])";
      String entries =
          "CASE WHEN " + found + " IS NOT NULL THEN map(" + keys + ", " + found + ") END";
      return "CASE WHEN "
          + startsWith(json, "{")
          + " THEN "
          + let(
              map,
              "TRY(from_json(" + json + ", '\"MAP(VARCHAR, JSON)\"'))",
              let(found, whole(raw, typed, depth), entries))
          + " END";
    }
  }
}

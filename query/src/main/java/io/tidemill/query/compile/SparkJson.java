package io.tidemill.query.compile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives {@code from_json(text, structure)} Spark's lenient meaning, where DuckDB's raises errors:
 * malformed text gives a struct of nulls, a member of another type is null while the others are
 * kept, null and blank text give null. Spark 4.2: reference section 13.
 */
final class SparkJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Stands for the text while the expression is built. */
  private static final String TEXT = "tidemill_json_text";

  private static final String BLANKS = "chr(32) || chr(9) || chr(10) || chr(13)";

  private final DuckSql sql;
  private int names;

  private SparkJson(DuckSql sql) {
    this.sql = sql;
  }

  /** A copy of the query in which calls with a constant structure are lenient. */
  static Select lenient(DuckSql sql, Select query) {
    return query.replace(n -> call(sql, n));
  }

  private static Optional<JsonNode> call(DuckSql sql, JsonNode node) {
    if (!Tree.isFunction(node) || !Tree.function(node).equals("from_json")) {
      return Optional.empty();
    }
    List<JsonNode> arguments = Tree.arguments(node);
    Optional<String> structure =
        arguments.size() == 2 ? Tree.constantText(arguments.get(1)) : Optional.empty();
    if (structure.isEmpty()) {
      return Optional.empty();
    }
    JsonNode text = Tree.replace(arguments.get(0), n -> call(sql, n));
    return new SparkJson(sql)
        .document(structure.get())
        .map(e -> Tree.replace(e, n -> isText(n) ? Optional.of(text) : Optional.empty()))
        .map(e -> Tree.aliased(e, Tree.alias(node).isEmpty() ? "from_json" : Tree.alias(node)));
  }

  private static boolean isText(JsonNode node) {
    return Tree.isColumn(node) && Tree.names(node).equals(List.of(TEXT));
  }

  /** The expression over {@link #TEXT}; empty if DuckDB should judge the structure. */
  private Optional<JsonNode> document(String structure) {
    try {
      JsonNode shape = JSON.readTree(structure);
      String json = "CAST(TRY(from_json(" + TEXT + ", '\"JSON\"')) AS VARCHAR)";
      String expression =
          shape.isObject()
              ? struct(shape)
              : (shape.isArray() && shape.size() == 1) || shape.isTextual()
                  ? onTop(shape, json)
                  : "";
      return expression.isEmpty() ? Optional.empty() : Optional.of(sql.parseExpression(expression));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (UnknownType e) {
      return Optional.empty();
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated expression did not parse.", e);
    }
  }

  /** A list or map; a single object passes for a list of one. */
  private String onTop(JsonNode shape, String json) throws UnknownType {
    String value = valueOf(shape, json);
    return shape.isArray() && shape.get(0).isObject()
        ? "coalesce("
            + value
            + ", "
            + whenA("OBJECT", json, "[" + valueOf(shape.get(0), json) + "]")
            + ")"
        : value;
  }

  private String struct(JsonNode shape) throws UnknownType {
    String name = "j" + names++;
    return "list_extract(list_transform([TRY(from_json("
        + TEXT
        + ", "
        + Sql.text(members(shape))
        + "))], lambda "
        + name
        + ": CASE WHEN "
        + name
        + " IS NOT NULL OR trim("
        + TEXT
        + ", "
        + BLANKS
        + ") <> '' THEN "
        + packed(shape, name)
        + " END), 1)";
  }

  /** DuckDB's structure of an object's own members, the nested ones as JSON. */
  private static String members(JsonNode shape) {
    List<String> members = new ArrayList<>();
    shape
        .fields()
        .forEachRemaining(
            f -> members.add(text(f.getKey()) + ":\"" + leafType(f.getValue()) + "\""));
    return "{" + String.join(",", members) + "}";
  }

  private static String text(String value) {
    return io.tidemill.protocol.Json.write(value);
  }

  private static String leafType(JsonNode shape) {
    return shape.isTextual() && isText(shape.asText()) ? "VARCHAR" : "JSON";
  }

  private static boolean isText(String type) {
    return List.of("VARCHAR", "STRING", "TEXT")
        .contains(type.strip().toUpperCase(java.util.Locale.ROOT));
  }

  private String packed(JsonNode shape, String struct) throws UnknownType {
    List<String> items = new ArrayList<>();
    for (java.util.Map.Entry<String, JsonNode> f : shape.properties()) {
      String name = Sql.name(f.getKey());
      items.add(name + " := " + member(f.getValue(), struct + "." + name));
    }
    return "struct_pack(" + String.join(", ", items) + ")";
  }

  /** The value of a member that was taken as {@link #leafType}. */
  private String member(JsonNode shape, String json) throws UnknownType {
    return leafType(shape).equals("VARCHAR")
        ? json
        : valueOf(shape, "CAST(" + json + " AS VARCHAR)");
  }

  /** The typed value of an expression that holds JSON as VARCHAR. */
  private String valueOf(JsonNode shape, String json) throws UnknownType {
    if (shape.isObject()) {
      String name = "j" + names++;
      return whenA(
          "OBJECT",
          json,
          "list_extract(list_transform([from_json("
              + json
              + ", "
              + Sql.text(members(shape))
              + ")], lambda "
              + name
              + ": "
              + packed(shape, name)
              + "), 1)");
    }
    if (shape.isArray() && shape.size() == 1) {
      return list(shape.get(0), json);
    }
    if (!shape.isTextual()) {
      throw new UnknownType();
    }
    String type = sql.canonicalType(shape.asText()).orElseThrow(UnknownType::new);
    if (type.endsWith("[]")) {
      return list(JSON.getNodeFactory().textNode(type.substring(0, type.length() - 2)), json);
    }
    return type.startsWith("MAP(VARCHAR, ") ? map(type, json) : scalar(type, json);
  }

  private static String whenA(String kind, String json, String value) {
    return "CASE WHEN json_type(" + json + ") = '" + kind + "' THEN " + value + " END";
  }

  private String list(JsonNode element, String json) throws UnknownType {
    String items = "l" + names++;
    String item = "e" + names++;
    String typed =
        "list_transform(" + items + ", lambda " + item + ": " + member(element, item) + ")";
    return whenA(
        "ARRAY",
        json,
        let(
            items,
            "from_json(" + json + ", '[\"" + leafType(element) + "\"]')",
            whole(items, typed)));
  }

  private String map(String type, String json) throws UnknownType {
    JsonNode value =
        JSON.getNodeFactory().textNode(type.substring("MAP(VARCHAR, ".length(), type.length() - 1));
    String map = "m" + names++;
    String item = "e" + names++;
    String items = "map_values(" + map + ")";
    String typed =
        "list_transform(" + items + ", lambda " + item + ": " + member(value, item) + ")";
    String found = "f" + names++;
    return whenA(
        "OBJECT",
        json,
        let(
            map,
            "TRY(from_json(" + json + ", '\"MAP(VARCHAR, " + leafType(value) + ")\"'))",
            let(
                found,
                whole(items, typed),
                "CASE WHEN "
                    + found
                    + " IS NOT NULL THEN map(map_keys("
                    + map
                    + "), "
                    + found
                    + ") END")));
  }

  /** The typed values if each is there that is no JSON null: one of another type spoils all. */
  private String whole(String items, String typed) {
    String values = "v" + names++;
    return let(
        values,
        typed,
        "CASE WHEN list_count(" + values + ") = list_count(" + items + ") THEN " + values + " END");
  }

  /** An expression in which a name stands for the value of another, computed once. */
  private static String let(String name, String value, String expression) {
    return "list_extract(list_transform(["
        + value
        + "], lambda "
        + name
        + ": "
        + expression
        + "), 1)";
  }

  /** JSON text of a string keeps its quotes, so that a number's type does not take a string. */
  private static String scalar(String type, String json) {
    String whole = "TRY_CAST(" + json + " AS BIGINT)";
    String isWhole = "CAST(" + whole + " AS VARCHAR) = " + json;
    String bare = "trim(" + json + ", '\"')";
    String cast = "TRY_CAST(" + json + " AS " + type + ")";
    return switch (type) {
      case "VARCHAR" -> "(CAST(" + json + " AS JSON) ->> '$')";
      case "JSON" -> "CAST(" + json + " AS JSON)";
      case "BOOLEAN" -> "CASE " + json + " WHEN 'true' THEN true WHEN 'false' THEN false END";
      case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT" ->
          "CASE WHEN CAST(" + cast + " AS VARCHAR) = " + json + " THEN " + cast + " END";
      case "DOUBLE", "FLOAT" ->
          "CASE WHEN "
              + json
              + " IN ('\"NaN\"', '\"Infinity\"', '\"-Infinity\"') THEN TRY_CAST("
              + bare
              + " AS "
              + type
              + ") ELSE "
              + cast
              + " END";
      // Through TIMESTAMPTZ, because a cast to TIMESTAMP ignores an offset; a number is seconds.
      case "TIMESTAMP" ->
          "CASE WHEN "
              + isWhole
              + " THEN make_timestamp("
              + whole
              + " * 1000000) ELSE make_timestamp(epoch_us(TRY_CAST("
              + bare
              + " AS TIMESTAMPTZ))) END";
      case "BLOB" -> "TRY(from_base64(" + bare + "))";
      default -> "TRY_CAST(" + bare + " AS " + type + ")";
    };
  }

  /** The structure names a type that DuckDB does not have. */
  private static final class UnknownType extends Exception {
    private static final long serialVersionUID = 1L;
  }
}

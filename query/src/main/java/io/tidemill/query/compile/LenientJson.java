package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.Json;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives from_json Spark's meaning: text that is no JSON, or JSON of another kind, is no error.
 * Spark 4.2: reference section 13, mode PERMISSIVE: a structure then has null fields, a list or map
 * is null; null and blank text is null; a field whose value has another type is null. DuckDB's own
 * functions stay as they are under their other names, json_transform and json_transform_strict.
 */
final class LenientJson {
  /** The text while it is decoded, and where it comes from. */
  private static final String TEXT = "tidemill_text";

  private static final String ARGUMENT = "tidemill_argument";

  private final DuckSql sql;

  private LenientJson(DuckSql sql) {
    this.sql = sql;
  }

  /** The query with every from_json whose structure is constant replaced. */
  static Select rewrite(DuckSql sql, Select query) {
    LenientJson json = new LenientJson(sql);
    return query.replace(json::call);
  }

  private Optional<JsonNode> call(JsonNode node) {
    boolean call =
        Tree.isFunction(node)
            && Tree.function(node).equals("from_json")
            && Tree.arguments(node).size() == 2;
    Optional<String> type = call ? type(Tree.arguments(node).get(1)) : Optional.empty();
    if (type.isEmpty()) {
      return Optional.empty();
    }
    JsonNode structure = Json.read(Tree.constant(Tree.arguments(node).get(1)), JsonNode.class);
    JsonNode text = Tree.replace(Tree.arguments(node).get(0), this::call);
    JsonNode decoding =
        Tree.replace(
            parsed(decoding(structure, type.get())),
            n ->
                Tree.isColumn(n) && Tree.names(n).equals(List.of(ARGUMENT))
                    ? Optional.of(text)
                    : Optional.empty());
    String alias = Tree.alias(node).isEmpty() ? sql.text(node) : Tree.alias(node);
    return Optional.of(Tree.aliased(decoding, alias));
  }

  /** The type a structure describes. What is none is left to DuckDB, for the error. */
  private Optional<String> type(JsonNode structure) {
    if (!Tree.isConstant(structure)) {
      return Optional.empty();
    }
    try {
      Schema row =
          sql.describe(
              "SELECT from_json(t, " + sql.text(structure) + ") AS x FROM (VALUES ('')) AS v(t)");
      return Optional.of(row.columns().get(0).type());
    } catch (SqlMistake e) {
      return Optional.empty();
    }
  }

  private static String decoding(JsonNode structure, String type) {
    String valid = "json_valid(" + TEXT + ")";
    String json = "CAST(" + TEXT + " AS JSON)";
    String decoded;
    if (JsonValue.of(structure) instanceof JsonValue.Fields fields) {
      decoded =
          "CASE WHEN "
              + valid
              + " AND "
              + isObject()
              + " THEN "
              + fields.ofObject(json)
              + " WHEN regexp_full_match(coalesce("
              + TEXT
              + ", ''), '\\s*') THEN NULL ELSE "
              + nulls(structure)
              + " END";
    } else {
      String compact = "json_extract(" + TEXT + ", '$')";
      decoded = "CASE WHEN " + valid + " THEN " + listed(structure, json, compact) + " END";
    }
    return "CAST(" + JsonValue.let(TEXT, ARGUMENT, decoded) + " AS " + type + ")";
  }

  /** For valid JSON; looking at the first character saves parsing it. */
  private static String isObject() {
    return "(" + JsonValue.startsWith(TEXT, "{") + " OR json_type(" + TEXT + ") = 'OBJECT')";
  }

  /** A single structure passes for a list of one. */
  private static String listed(JsonNode structure, String json, String compact) {
    String text = "(" + compact + " ->> '$')";
    String value = JsonValue.of(structure).over(compact, text);
    return structure.isArray() && JsonValue.of(structure.get(0)) instanceof JsonValue.Fields fields
        ? "CASE WHEN "
            + isObject()
            + " THEN list_value("
            + fields.ofObject(json)
            + ") ELSE "
            + value
            + " END"
        : value;
  }

  private static String nulls(JsonNode structure) {
    List<String> items = new ArrayList<>();
    structure.fieldNames().forEachRemaining(f -> items.add(Sql.name(f) + " := NULL"));
    return "struct_pack(" + String.join(", ", items) + ")";
  }

  private JsonNode parsed(String expression) {
    try {
      return Tree.withoutPlaces(sql.parseExpression(expression));
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated expression did not parse.", e);
    }
  }
}

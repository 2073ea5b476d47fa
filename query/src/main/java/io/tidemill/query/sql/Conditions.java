package io.tidemill.query.sql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Takes conditions of the parse tree apart and puts them together. */
public final class Conditions {
  private static final Set<String> STRICT_COMPARISONS =
      Set.of(
          "COMPARE_EQUAL",
          "COMPARE_NOTEQUAL",
          "COMPARE_LESSTHAN",
          "COMPARE_GREATERTHAN",
          "COMPARE_LESSTHANOREQUALTO",
          "COMPARE_GREATERTHANOREQUALTO");

  /** Functions that are null if any argument is. */
  private static final Set<String> STRICT_FUNCTIONS =
      Set.of(
          ("+ - * / // % ** ^ ~~ !~~ ~~* !~~* ~~~ abs round floor ceil ceiling sqrt ln log exp pow"
                  + " power sign lower upper lcase ucase length strlen trim ltrim rtrim reverse"
                  + " substr substring left right replace contains starts_with ends_with prefix"
                  + " suffix regexp_matches regexp_replace regexp_extract date_trunc datetrunc"
                  + " date_part datepart date_diff datediff year month day hour minute second"
                  + " dayofweek dayofyear week quarter epoch epoch_ms epoch_us strftime strptime"
                  + " to_timestamp make_timestamp len array_length struct_extract array_extract"
                  + " list_extract md5 sha256")
              .split(" "));

  private Conditions() {}

  /**
   * The conditions that must all be true for the given one to be true; none for TRUE. Looks through
   * AND, BETWEEN, NOT of OR, and what all alternatives of an OR share.
   */
  public static List<JsonNode> split(JsonNode condition) {
    List<JsonNode> parts = new ArrayList<>();
    split(condition, parts);
    return parts;
  }

  private static void split(JsonNode condition, List<JsonNode> parts) {
    if (isConjunction(condition, "AND")) {
      condition.path("children").forEach(c -> split(c, parts));
    } else if (Tree.type(condition).equals("COMPARE_BETWEEN")) {
      JsonNode input = condition.path("input");
      parts.add(
          comparison("COMPARE_GREATERTHANOREQUALTO", input, condition.path("lower").deepCopy()));
      parts.add(comparison("COMPARE_LESSTHANOREQUALTO", input, condition.path("upper").deepCopy()));
    } else if (isNot(condition)) {
      splitNegation(condition, condition.path("children").path(0), parts);
    } else if (isConjunction(condition, "OR")) {
      splitAlternatives(condition, parts);
    } else if (!isTrue(condition)) {
      parts.add(condition);
    }
  }

  private static boolean isTrue(JsonNode node) {
    return Tree.isConstant(node) && node.path("literal").path("text").asText().equals("true");
  }

  private static void splitNegation(JsonNode whole, JsonNode negated, List<JsonNode> parts) {
    if (isNot(negated)) {
      split(negated.path("children").path(0), parts);
    } else if (isConjunction(negated, "OR")) {
      negated.path("children").forEach(c -> split(operator("OPERATOR_NOT", c), parts));
    } else {
      parts.add(whole);
    }
  }

  private static void splitAlternatives(JsonNode or, List<JsonNode> parts) {
    List<List<JsonNode>> alternatives = new ArrayList<>();
    or.path("children").forEach(c -> alternatives.add(split(c)));
    List<JsonNode> shared =
        alternatives.get(0).stream()
            .filter(p -> alternatives.stream().allMatch(a -> holds(a, p)))
            .toList();
    if (shared.isEmpty()) {
      parts.add(or);
      return;
    }
    parts.addAll(shared);
    List<JsonNode> rests = new ArrayList<>();
    for (List<JsonNode> alternative : alternatives) {
      List<JsonNode> rest = alternative.stream().filter(p -> !holds(shared, p)).toList();
      if (rest.isEmpty()) {
        return;
      }
      rests.add(all(rest));
    }
    parts.add(conjunction("OR", rests));
  }

  private static boolean holds(List<JsonNode> conditions, JsonNode condition) {
    return conditions.stream().anyMatch(c -> Tree.same(c, condition));
  }

  /** One condition that is true if all given ones are; there must be at least one. */
  public static JsonNode all(List<JsonNode> conditions) {
    return conditions.size() == 1 ? conditions.get(0) : conjunction("AND", conditions);
  }

  public static JsonNode isNotNull(JsonNode expression) {
    return operator("OPERATOR_IS_NOT_NULL", expression);
  }

  /** The expression that a condition of the form {@code x IS NOT NULL} is about. */
  public static Optional<JsonNode> notNull(JsonNode condition) {
    return Tree.type(condition).equals("OPERATOR_IS_NOT_NULL")
        ? Optional.of(condition.path("children").path(0))
        : Optional.empty();
  }

  public static JsonNode equal(JsonNode left, JsonNode right) {
    return comparison("COMPARE_EQUAL", left, right);
  }

  /** True for a list with at least one element. */
  public static JsonNode hasElements(JsonNode list) {
    return comparison("COMPARE_GREATERTHAN", Tree.call("len", list), Tree.whole(0));
  }

  /** Both sides of a condition of the form {@code a = b} between two columns, or an empty list. */
  public static List<JsonNode> equalColumns(JsonNode condition) {
    JsonNode left = condition.path("left");
    JsonNode right = condition.path("right");
    return Tree.type(condition).equals("COMPARE_EQUAL")
            && Tree.isColumn(left)
            && Tree.isColumn(right)
        ? List.of(left, right)
        : List.of();
  }

  /** Columns that cannot be null in a row for which the condition is true. */
  public static List<JsonNode> strictColumns(JsonNode condition) {
    return strictParts(condition).stream().filter(Tree::isColumn).toList();
  }

  /** Expressions within a condition that cannot be null in a row for which it is true. */
  public static List<JsonNode> strictParts(JsonNode condition) {
    List<JsonNode> parts = new ArrayList<>();
    strict(notNull(condition).orElse(condition), parts);
    return parts;
  }

  private static void strict(JsonNode node, List<JsonNode> parts) {
    parts.add(node);
    String type = Tree.type(node);
    if (STRICT_COMPARISONS.contains(type)) {
      strict(node.path("left"), parts);
      strict(node.path("right"), parts);
    } else if (type.equals("OPERATOR_CAST")) {
      strict(node.path("child"), parts);
    } else if (type.equals("STRUCT_EXTRACT") || type.equals("ARRAY_EXTRACT")) {
      strict(node.path("children").path(0), parts);
    } else if (isNot(node)) {
      node.path("children").forEach(c -> strict(c, parts));
    } else if (Tree.isFunction(node) && STRICT_FUNCTIONS.contains(Tree.function(node))) {
      Tree.arguments(node).forEach(a -> strict(a, parts));
    }
  }

  /** The conditions without those that find a null where another one is not true anyway. */
  public static List<JsonNode> withoutImplied(List<JsonNode> conditions) {
    List<JsonNode> strict =
        conditions.stream()
            .filter(c -> notNull(c).isEmpty())
            .flatMap(c -> strictParts(c).stream())
            .toList();
    return conditions.stream()
        .filter(c -> notNull(c).stream().noneMatch(x -> holds(strict, x)))
        .toList();
  }

  /** Whether a subquery stands anywhere in the expression. */
  public static boolean holdsSubquery(JsonNode expression) {
    return holds(expression, Tree::isSubquery);
  }

  /** Whether the test is true of any node of the tree. */
  public static boolean holds(JsonNode tree, Predicate<JsonNode> test) {
    if (test.test(tree)) {
      return true;
    }
    for (JsonNode child : tree) {
      if (holds(child, test)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isConjunction(JsonNode node, String word) {
    return Tree.type(node).equals("CONJUNCTION_" + word);
  }

  private static boolean isNot(JsonNode node) {
    return Tree.type(node).equals("OPERATOR_NOT");
  }

  private static ObjectNode conjunction(String word, List<JsonNode> children) {
    ObjectNode node = Tree.expression("CONJUNCTION", "CONJUNCTION_" + word);
    ArrayNode list = node.putArray("children");
    children.forEach(list::add);
    return node;
  }

  private static ObjectNode operator(String type, JsonNode operand) {
    ObjectNode node = Tree.expression("OPERATOR", type);
    node.putArray("children").add(operand);
    return node;
  }

  private static ObjectNode comparison(String type, JsonNode left, JsonNode right) {
    ObjectNode node = Tree.expression("COMPARISON", type);
    node.set("left", left);
    node.set("right", right);
    return node;
  }
}

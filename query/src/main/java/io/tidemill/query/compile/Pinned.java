package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.OwnNames;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Replaces the clock in a query by the batch's timestamp, so that a replay says the same. Random
 * numbers are pinned when the query runs, by the batch's seed.
 */
final class Pinned {
  private static final String NOW =
      "CAST(getvariable('" + OwnNames.BATCH_TIME + "') AS TIMESTAMPTZ)";

  private static final String NOW_LOCAL = "CAST(" + NOW + " AS TIMESTAMP)";
  private static final String TODAY = "CAST(" + NOW + " AS DATE)";

  /** Version, twelve bits of chance, variant, sixty bits of chance. */
  private static final String UUID_END =
      "%s%%03x8%%015x', %s, " + chance(2, 52) + ", " + chance(2, 4);

  /** A UUID of version 4. */
  private static final String RANDOM_UUID =
      "CAST(printf('%012x"
          + String.format(Locale.ROOT, UUID_END, "4", chance(2, 16))
          + ") AS UUID)";

  /** A UUID of version 7: the milliseconds in front, then chance. */
  private static final String TIMED_UUID =
      "CAST(printf('%012x"
          + String.format(Locale.ROOT, UUID_END, "7", "epoch_ms(" + NOW + ")")
          + ") AS UUID)";

  private static final Map<String, String> CLOCKS =
      Map.ofEntries(
          Map.entry("now", NOW),
          Map.entry("get_current_timestamp", NOW),
          Map.entry("current_timestamp", NOW),
          Map.entry("transaction_timestamp", NOW),
          Map.entry("current_localtimestamp", NOW_LOCAL),
          Map.entry("localtimestamp", NOW_LOCAL),
          Map.entry("current_date", TODAY),
          Map.entry("today", TODAY),
          Map.entry("get_current_time", "CAST(" + NOW + " AS TIMETZ)"),
          Map.entry("current_time", "CAST(" + NOW + " AS TIMETZ)"),
          Map.entry("current_localtime", "CAST(" + NOW_LOCAL + " AS TIME)"),
          Map.entry("localtime", "CAST(" + NOW_LOCAL + " AS TIME)"),
          Map.entry("uuid", RANDOM_UUID),
          Map.entry("uuidv4", RANDOM_UUID),
          Map.entry("gen_random_uuid", RANDOM_UUID),
          Map.entry("uuidv7", TIMED_UUID));

  private final DuckSql sql;
  private final Set<String> columns;

  /**
   * @param columns names of columns, which win over clocks that are written without brackets
   */
  Pinned(DuckSql sql, Collection<String> columns) {
    this.sql = sql;
    this.columns = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    this.columns.addAll(columns);
  }

  /**
   * The upper bits of a number from chance. Random numbers alone start at one of few places, so the
   * name of the task is in it: two tasks never give the same.
   */
  private static String chance(int numbers, int shift) {
    return "hash(getvariable('"
        + OwnNames.TASK
        + "')"
        + ", random()".repeat(numbers)
        + ") >> "
        + shift;
  }

  Select pin(Select query) {
    return query.replace(this::pinned);
  }

  /** Whether a node is a call or name that {@link #pin} replaces. */
  boolean isClock(JsonNode node) {
    return isClockCall(node) || isAgeOfToday(node) || isClockName(node);
  }

  /** Whether a node is a call without arguments whose value depends on the clock or on chance. */
  static boolean isClockCall(JsonNode node) {
    return Tree.isFunction(node)
        && Tree.arguments(node).isEmpty()
        && CLOCKS.containsKey(Tree.function(node));
  }

  /** {@code age(x)} counts from the current date. */
  private static boolean isAgeOfToday(JsonNode node) {
    return Tree.isFunction(node)
        && Tree.function(node).equals("age")
        && Tree.arguments(node).size() == 1;
  }

  private boolean isClockName(JsonNode node) {
    return isClockName(node, columns);
  }

  private static boolean isClockName(JsonNode node, Collection<String> columns) {
    if (!Tree.isColumn(node) || Tree.names(node).size() > 1) {
      return false;
    }
    String name = Context.lower(Tree.names(node).get(0));
    return (name.startsWith("current_") || name.startsWith("local"))
        && CLOCKS.containsKey(name)
        && !columns.contains(name);
  }

  /** The body of a macro with clocks as calls, which no column of a query can be mistaken for. */
  static JsonNode called(JsonNode body, List<String> parameters) {
    return Tree.replace(
        body,
        n ->
            isClockName(n, parameters)
                ? Optional.of(
                    Tree.aliased(Tree.call(Context.lower(Tree.names(n).get(0))), Tree.alias(n)))
                : Optional.empty());
  }

  private Optional<JsonNode> pinned(JsonNode node) {
    if (isAgeOfToday(node)) {
      JsonNode today = parsed("CAST(" + TODAY + " AS TIMESTAMP)");
      JsonNode of = Tree.replace(Tree.arguments(node).get(0), this::pinned);
      return Optional.of(Tree.aliased(Tree.call("age", today, of), Tree.alias(node)));
    }
    if (!isClock(node)) {
      return Optional.empty();
    }
    String name =
        Tree.isFunction(node) ? Tree.function(node) : Context.lower(Tree.names(node).get(0));
    return Optional.of(Tree.aliased(parsed(CLOCKS.get(name)), Tree.alias(node)));
  }

  private JsonNode parsed(String expression) {
    try {
      return sql.parseExpression(expression);
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated expression did not parse.", e);
    }
  }
}

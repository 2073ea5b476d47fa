package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Select;
import io.tidemill.query.sql.Tree;
import java.util.Map;
import java.util.Optional;

/**
 * Replaces the clock in a query by the batch's timestamp, so that a replay says the same. Random
 * numbers are pinned when the query runs, by the batch's seed.
 */
final class Pinned {
  /** Name of the DuckDB variable that holds the batch's timestamp. */
  static final String VARIABLE = "tidemill_batch_time";

  private static final String NOW = "CAST(getvariable('" + VARIABLE + "') AS TIMESTAMPTZ)";

  private static final Map<String, String> CLOCKS =
      Map.ofEntries(
          Map.entry("now", NOW),
          Map.entry("get_current_timestamp", NOW),
          Map.entry("current_timestamp", NOW),
          Map.entry("transaction_timestamp", NOW),
          Map.entry("current_localtimestamp", "CAST(" + NOW + " AS TIMESTAMP)"),
          Map.entry("localtimestamp", "CAST(" + NOW + " AS TIMESTAMP)"),
          Map.entry("current_date", "CAST(" + NOW + " AS DATE)"),
          Map.entry("today", "CAST(" + NOW + " AS DATE)"),
          Map.entry("get_current_time", "CAST(CAST(" + NOW + " AS TIMESTAMP) AS TIME)"),
          Map.entry("current_time", "CAST(CAST(" + NOW + " AS TIMESTAMP) AS TIME)"),
          Map.entry("current_localtime", "CAST(CAST(" + NOW + " AS TIMESTAMP) AS TIME)"),
          Map.entry("localtime", "CAST(CAST(" + NOW + " AS TIMESTAMP) AS TIME)"),
          Map.entry(
              "uuid", "CAST(md5(CAST(random() AS VARCHAR) || CAST(random() AS VARCHAR)) AS UUID)"),
          Map.entry(
              "gen_random_uuid",
              "CAST(md5(CAST(random() AS VARCHAR) || CAST(random() AS VARCHAR)) AS UUID)"));

  private Pinned() {}

  static Select pin(DuckSql sql, Select query) {
    return query.replace(n -> pinned(sql, n));
  }

  private static Optional<JsonNode> pinned(DuckSql sql, JsonNode node) {
    String name = clockName(node);
    String replacement = CLOCKS.get(name);
    if (replacement == null) {
      return Optional.empty();
    }
    try {
      String alias = Tree.alias(node).isEmpty() ? name : Tree.alias(node);
      return Optional.of(Tree.aliased(sql.parseExpression(replacement), alias));
    } catch (SqlMistake e) {
      throw new TidemillException(ErrorCode.INTERNAL, "A generated expression did not parse.", e);
    }
  }

  /** The lower-case name of a call without arguments; some clocks are written without brackets. */
  private static String clockName(JsonNode node) {
    if (Tree.isFunction(node) && Tree.arguments(node).isEmpty()) {
      return Tree.function(node);
    }
    boolean bare = Tree.isColumn(node) && Tree.names(node).size() == 1;
    String name = bare ? Context.lower(Tree.names(node).get(0)) : "";
    return name.startsWith("current_") || name.startsWith("local") ? name : "";
  }
}

package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.DuckSql;
import io.tidemill.query.sql.DuckSql.SqlMistake;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * with_watermark(s, ts, delay): an event time in the middle of a query, on a column that the query
 * may have worked out itself. Spark 4.2: reference 6.1. The greatest time is taken from the rows
 * that arrive there; each stream below has a watermark of its own.
 */
final class EventTimes {
  private final Context context;

  EventTimes(Context context) {
    this.context = context;
  }

  /**
   * The relation with the event time; the relation itself is left out of the arguments.
   *
   * @param conditions what a row must meet to count for the query, over {@link Filters#ROW}
   */
  Relation compile(
      Relation input, JsonNode call, List<JsonNode> arguments, List<JsonNode> conditions) {
    if (arguments.size() != 2) {
      throw context.error(
          ErrorCode.JOB_SYNTAX,
          call,
          "with_watermark takes a stream, its time column and how late rows may be, e.g."
              + " with_watermark(orders, event_time, INTERVAL 10 MINUTES).");
    }
    Column column = timeColumn(input, arguments.get(0));
    SourcePlan.EventTime time =
        new SourcePlan.EventTime(column.name(), delay(arguments.get(1)), Optional.empty());
    List<Origin.Branch> timed = new ArrayList<>();
    for (Origin.Branch branch : input.branches()) {
      Origin.Scan scan = scan(branch, call);
      timed.add(Origin.Branch.of(context.timed(scan, time, branch, input.columns(), conditions)));
    }
    return new Relation(
        timed, input.columns(), Map.of(Context.lower(column.name()), "{}"), input.hidden());
  }

  private Origin.Scan scan(Origin.Branch branch, JsonNode call) {
    if (!(branch.origin() instanceof Origin.Scan scan)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          call,
          "with_watermark cannot stand behind an operator that keeps state, such as an aggregation"
              + " or deduplication; put it before.");
    }
    if (context.scans.get(scan.source()).eventTime().isPresent()) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          call,
          "The stream has a watermark already; it can have one only.");
    }
    return scan;
  }

  private Column timeColumn(Relation input, JsonNode argument) {
    if (!Tree.isColumn(argument)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          argument,
          "with_watermark needs the name of a time column; compute it in a subquery or view before.");
    }
    List<String> names = Tree.names(argument);
    String name = names.get(names.size() - 1);
    Column column = input.columns().columns().get(context.column(input, name, argument));
    if (!column.type().equals("TIMESTAMP")) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          argument,
          "A watermark needs a TIMESTAMP column; " + column.name() + " is " + column.type() + ".");
    }
    return column;
  }

  private long delay(JsonNode argument) {
    try {
      long millis =
          isConstant(context.sql, argument)
              ? delayMillis(context.sql, context.sql.text(argument))
              : -1;
      if (millis >= 0) {
        return millis;
      }
    } catch (SqlMistake e) {
      throw wrongDelay(argument);
    }
    throw wrongDelay(argument);
  }

  private io.tidemill.protocol.error.TidemillException wrongDelay(JsonNode argument) {
    return context.error(
        ErrorCode.ILLEGAL_QUERY,
        argument,
        "How late rows may be is a constant interval of zero or more, e.g. INTERVAL 10 MINUTES.");
  }

  /** Whether an expression has the same value wherever and whenever it is worked out. */
  static boolean isConstant(DuckSql sql, JsonNode expression) {
    return !Conditions.holds(
        expression,
        n ->
            Tree.isColumn(n)
                || Tree.isSubquery(n)
                || (Tree.isFunction(n) && sql.looksOutside(Tree.function(n))));
  }

  /** A constant interval in milliseconds; a month has 31 days, as in Spark. */
  static long delayMillis(DuckSql sql, String interval) throws SqlMistake {
    // January has 31 days.
    String micros =
        sql.scalar(
            "SELECT epoch_us(TIMESTAMP '2001-01-01' + CAST("
                + interval
                + " AS INTERVAL)) - epoch_us(TIMESTAMP '2001-01-01')");
    return micros == null ? -1 : Math.floorDiv(Long.parseLong(micros), 1000);
  }
}

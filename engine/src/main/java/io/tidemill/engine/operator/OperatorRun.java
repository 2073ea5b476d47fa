package io.tidemill.engine.operator;

import io.tidemill.engine.Duck;
import io.tidemill.engine.KeyedState;
import io.tidemill.protocol.Watermark;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.protocol.task.BatchContext;
import io.tidemill.protocol.task.OperatorStats;
import io.tidemill.query.plan.Stage;
import io.tidemill.query.plan.StatefulOperator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Runs a stateful operator, set at a time. Rows reach it in two steps: {@link #prepare} runs where
 * the rows are made, once per producing stage, and drops late rows; {@link #run} runs where the
 * state is, over all prepared parts of a shard.
 */
public interface OperatorRun {
  /**
   * Start of the name of a part that holds what several producers prepared, so that a key may stand
   * in it more than once.
   */
  String MIXED = "__mixed_";

  /**
   * Makes a table of what a producing stage hands over: {@code _bucket} and the operator's columns.
   *
   * @param segment SELECT with the operator's input rows
   * @return late rows and groups only
   */
  OperatorStats prepare(String segment, String part);

  /** Merges parts into the state, then evicts. {@code goOn} is called once. */
  OperatorStats run(List<String> parts, GoOn goOn);

  /** Takes the rows that go on, when they can be read. */
  interface GoOn {
    /**
     * @param rows a SELECT
     * @param empty whether it is known to have no rows
     */
    void accept(String rows, boolean empty);
  }

  /** The runner of an operator. {@code state} is opened only by {@link #run}. */
  static OperatorRun of(
      Duck duck,
      Stage stage,
      StatefulOperator operator,
      BatchContext batch,
      KeyedState.Access state) {
    if (operator instanceof StatefulOperator.Aggregate aggregate) {
      return new AggregateRun(duck, stage.id(), aggregate, batch, state);
    }
    if (operator instanceof StatefulOperator.Deduplicate deduplicate) {
      return new DeduplicateRun(duck, stage.id(), deduplicate, batch, state);
    }
    return new LimitRun(duck, stage.id(), (StatefulOperator.Limit) operator, state);
  }

  /** Condition that is true for values at or before the watermark; false if there is none. */
  static String atOrBefore(String expression, Watermark watermark) {
    return watermark.isNone()
        ? "false"
        : "coalesce(" + expression + " <= " + Sql.timestamp(watermark.millis()) + ", false)";
  }

  /** All rows of some tables with the same columns. */
  static String union(List<String> tables, String columns) {
    return tables.stream()
        .map(t -> "SELECT " + columns + " FROM " + t)
        .collect(Collectors.joining(" UNION ALL "));
  }

  /** Equality of two rows' keys in which null equals null. */
  static String sameKeys(List<String> left, List<String> right) {
    StringBuilder condition = new StringBuilder("true");
    for (int i = 0; i < left.size(); i++) {
      condition
          .append(" AND ")
          .append(left.get(i))
          .append(" IS NOT DISTINCT FROM ")
          .append(right.get(i));
    }
    return condition.toString();
  }
}

package io.tidemill.query.compile;

import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.StatefulOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * Refuses combinations of operators and output mode that would never emit, never stop changing, or
 * lose rows. Spark 4.2: reference 5.2; rules about single clauses stand where those are compiled.
 */
final class Legality {
  private final Context context;

  Legality(Context context) {
    this.context = context;
  }

  void check(Relation result) {
    List<Origin.Operator> operators = new ArrayList<>();
    collect(result.branches(), operators);
    for (Origin.Operator operator : operators) {
      checkOne(operator);
    }
    if (context.mode != OutputMode.APPEND) {
      operators.forEach(this::checkBehindAggregate);
    }
    boolean aggregated = operators.stream().anyMatch(Legality::isAggregate);
    if (context.mode == OutputMode.COMPLETE && !aggregated) {
      throw illegal(
          "Output mode complete needs an aggregation: without one the result is the whole stream,"
              + " which is not kept. Use append or update.");
    }
  }

  private void checkOne(Origin.Operator operator) {
    if (operator.operator().isEmpty()) {
      boolean complete = context.mode == OutputMode.COMPLETE && holdsAggregate(operator.inputs());
      if (!complete) {
        throw illegal(
            "ORDER BY needs the complete result: it is possible behind an aggregation in output"
                + " mode complete only, since rows of other modes go out before later ones are"
                + " known.");
      }
      return;
    }
    StatefulOperator stateful = operator.operator().get();
    if (stateful instanceof StatefulOperator.Aggregate
        && context.mode == OutputMode.APPEND
        && stateful.eventTime().isEmpty()) {
      throw illegal(
          "Output mode append needs a watermark on the grouping keys: only then a group is known to"
              + " be final and can go out. Group by a window or by the event-time column of a"
              + " stream with a watermark, or use update or complete.");
    }
    if (stateful instanceof StatefulOperator.Limit && context.mode != OutputMode.APPEND) {
      throw illegal(
          "LIMIT is not possible in output mode update: rows that went out could change. Use append,"
              + " or complete behind an aggregation.");
    }
  }

  /** An aggregation that emits changing rows must not feed another stateful operator. */
  private void checkBehindAggregate(Origin.Operator operator) {
    boolean keepsTime =
        operator.operator().map(o -> isAggregate(operator) || dedupOnTime(o)).orElse(false);
    if (keepsTime && holdsAggregate(operator.inputs())) {
      throw illegal(
          "Behind an aggregation in output mode "
              + context.mode.text()
              + " no other stateful operator is possible: it would count each change of a row as a"
              + " new row. Use append.");
    }
  }

  private static boolean dedupOnTime(StatefulOperator operator) {
    return operator instanceof StatefulOperator.Deduplicate dedup
        && (dedup.evictKey().isPresent() || dedup.expiryMillis().isPresent());
  }

  private static boolean isAggregate(Origin.Operator operator) {
    return operator.operator().filter(StatefulOperator.Aggregate.class::isInstance).isPresent();
  }

  private static boolean holdsAggregate(List<Origin.Branch> branches) {
    List<Origin.Operator> below = new ArrayList<>();
    collect(branches, below);
    return below.stream().anyMatch(Legality::isAggregate);
  }

  private static void collect(List<Origin.Branch> branches, List<Origin.Operator> found) {
    for (Origin.Branch branch : branches) {
      if (branch.origin() instanceof Origin.Operator operator) {
        found.add(operator);
        collect(operator.inputs(), found);
      }
    }
  }

  private TidemillException illegal(String rule) {
    return context.error(ErrorCode.ILLEGAL_QUERY, null, rule);
  }
}

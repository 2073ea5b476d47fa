package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.sql.Conditions;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the conditions that decide which rows of a stream move its watermark. Spark 4.2 moves a
 * filter below the watermark if it is deterministic and does not use the event time.
 */
final class WatermarkConditions {
  private final Context context;
  private final Optional<SourcePlan.EventTime> eventTime;
  private final Schema columns;

  /**
   * @param columns columns of the rows that show the event time
   */
  WatermarkConditions(Context context, Optional<SourcePlan.EventTime> eventTime, Schema columns) {
    this.context = context;
    this.eventTime = eventTime;
    this.columns = columns;
  }

  /** The SQL of those among the conditions over {@link Filters#ROW} that decide. */
  List<String> of(List<JsonNode> conditions) {
    if (eventTime.isEmpty()) {
      return List.of();
    }
    List<JsonNode> chosen = new ArrayList<>();
    for (JsonNode condition : conditions) {
      boolean known = chosen.stream().anyMatch(c -> Tree.same(c, condition));
      if (!known && context.sql.isConstantForRow(condition) && usesColumnsOnly(condition)) {
        chosen.add(condition);
      }
    }
    return Conditions.withoutImplied(chosen).stream().map(this::text).toList();
  }

  private boolean usesColumnsOnly(JsonNode condition) {
    String time = eventTime.orElseThrow().column();
    return !Conditions.holds(
        condition,
        n -> isOfRow(n) && (name(n).equalsIgnoreCase(time) || columns.find(name(n)).isEmpty()));
  }

  private static boolean isOfRow(JsonNode node) {
    return Tree.isColumn(node) && Tree.names(node).get(0).equals(Filters.ROW);
  }

  private static String name(JsonNode column) {
    return Tree.names(column).get(1);
  }

  /** A row on which a condition fails is decided where the condition was written. */
  private String text(JsonNode condition) {
    String text = context.sql.text(condition);
    return Conditions.holdsSubquery(condition) ? text : "TRY(" + text + ")";
  }
}

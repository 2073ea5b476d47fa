package io.tidemill.query.compile;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Sql;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.query.plan.StatefulOperator;
import io.tidemill.query.sql.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** drop_duplicates and drop_duplicates_within_watermark. Spark 4.2: reference section 8. */
final class Deduplications {
  private final Context context;

  Deduplications(Context context) {
    this.context = context;
  }

  /** No condition moves below a deduplication: it would change which row of a key is the first. */
  static List<JsonNode> below() {
    return List.of();
  }

  Relation compile(String name, Relation any, JsonNode call, List<JsonNode> arguments) {
    Relation input = context.storable(any);
    List<Integer> keys = arguments.stream().map(a -> key(input, a)).toList();
    return Renaming.aroundOperator(
        context,
        input,
        rows ->
            deduplicated(
                name,
                rows,
                call,
                keys.stream().map(k -> rows.columns().columns().get(k)).toList()));
  }

  private Relation deduplicated(String name, Relation input, JsonNode call, List<Column> by) {
    boolean within = name.equals("drop_duplicates_within_watermark");
    List<Column> keys = new ArrayList<>(by);
    if (keys.isEmpty()) {
      input.columns().columns().stream()
          .filter(c -> !input.hidden().contains(Context.lower(c.name())))
          .forEach(keys::add);
    }
    if (within && input.timeExpression().isEmpty()) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          call,
          "drop_duplicates_within_watermark needs a watermark on its input: declare WATERMARK FOR"
              + " a column of the stream.");
    }
    Optional<String> evict =
        within
            ? Optional.empty()
            : keys.stream()
                .filter(k -> input.time(k.name()).isPresent())
                .findFirst()
                .map(k -> Relation.fill(input.time(k.name()).get(), Sql.name(k.name())));
    StatefulOperator.Deduplicate operator =
        new StatefulOperator.Deduplicate(
            keys,
            input.columns().columns(),
            input.timeExpression(),
            evict,
            within ? Optional.of(delayMillis(input)) : Optional.empty());
    Origin.Operator origin =
        context.operator(Optional.of(operator), input.branches(), input.columns());
    return new Relation(
        List.of(Origin.Branch.of(origin)), input.columns(), input.times(), input.hidden());
  }

  /** Index of the column that a key names. */
  private int key(Relation input, JsonNode argument) {
    if (!Tree.isColumn(argument)) {
      throw context.error(
          ErrorCode.ILLEGAL_QUERY,
          argument,
          "Deduplication is by columns; compute the expression in a subquery or view before.");
    }
    List<String> names = Tree.names(argument);
    String name = names.get(names.size() - 1);
    return context.column(input, name, argument);
  }

  /** The greatest delay among the streams below, so that no duplicate in time slips through. */
  private long delayMillis(Relation input) {
    return Origin.scans(input.branches()).stream()
        .flatMap(s -> context.scans.get(s.source()).eventTime().stream())
        .mapToLong(SourcePlan.EventTime::delayMillis)
        .max()
        .orElse(0);
  }
}

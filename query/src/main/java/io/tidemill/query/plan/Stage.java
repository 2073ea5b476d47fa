package io.tidemill.query.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A part of a query between shuffles: input, the stateful operator at its head, the SQL behind it,
 * and where its rows go. A stage has exactly one consumer; stage ids follow the order of running.
 *
 * @param id index in the plan
 * @param source index of the source it reads, or empty if it reads shuffles
 * @param inputs stages whose shuffles it reads; empty for a source stage
 * @param operator the stateful operator, if any
 * @param segment a SELECT over the relation {@link OwnNames#INPUT}: the decoded rows of the source,
 *     or the operator's output
 * @param consumer the stage its rows go to, or empty for the sink
 * @param single true if all rows must meet in one task (global order or limit)
 */
public record Stage(
    int id,
    OptionalInt source,
    List<Integer> inputs,
    Optional<StatefulOperator> operator,
    String segment,
    OptionalInt consumer,
    boolean single) {
  public Stage {
    inputs = List.copyOf(inputs);
  }

  public boolean readsSource() {
    return source.isPresent();
  }
}

package io.tidemill.api;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One step of a query that a program builds up: a stream or table, or a SELECT over the steps
 * before. Compared by identity; immutable.
 */
final class Step {
  private final long number;
  private final List<Step> inputs;
  private final Function<List<String>, String> select;
  private final List<Output> outputs;
  private final Optional<Relation> relation;
  private final Optional<Sorted> sorted;

  private Step(
      long number,
      List<Step> inputs,
      Function<List<String>, String> select,
      List<Output> outputs,
      Optional<Relation> relation,
      Optional<Sorted> sorted) {
    this.number = number;
    this.inputs = List.copyOf(inputs);
    this.select = select;
    this.outputs = outputs.stream().map(o -> o.in(number)).toList();
    this.relation = relation;
    this.sorted = sorted;
  }

  /**
   * The sort of a step, which a limit behind it takes over.
   *
   * @param keys what stands behind ORDER BY
   */
  record Sorted(Step input, String keys) {}

  /** A stream or static table. */
  static Step of(long number, Relation relation, List<Output> outputs) {
    return new Step(
        number, List.of(), names -> "", outputs, Optional.of(relation), Optional.empty());
  }

  /**
   * A SELECT over other steps.
   *
   * @param select gives the SELECT for the names of the inputs, which come quoted
   */
  static Step of(
      long number,
      List<Step> inputs,
      Function<List<String>, String> select,
      List<Output> outputs) {
    return new Step(number, inputs, select, outputs, Optional.empty(), Optional.empty());
  }

  Step sortedBy(Step input, String keys) {
    return new Step(
        number, inputs, select, outputs, relation, Optional.of(new Sorted(input, keys)));
  }

  /** The same rows and columns under new descriptions. */
  Step withOutputs(List<Output> changed) {
    return new Step(number, inputs, select, changed, relation, sorted);
  }

  long number() {
    return number;
  }

  List<Step> inputs() {
    return inputs;
  }

  String select(List<String> inputNames) {
    return select.apply(inputNames);
  }

  List<Output> outputs() {
    return outputs;
  }

  Optional<Relation> relation() {
    return relation;
  }

  Optional<Sorted> sorted() {
    return sorted;
  }

  boolean isStreaming() {
    return relation.map(Relation::isStream).orElse(false)
        || inputs.stream().anyMatch(Step::isStreaming);
  }
}

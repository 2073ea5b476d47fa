package io.tidemill.api;

import java.util.List;
import java.util.Optional;

/**
 * One step of a query that a program builds up: a stream or table, or a SELECT over steps before.
 * Immutable, compared by identity.
 */
final class Step {
  private final long number;
  private final List<Step> inputs;
  private final Optional<Relation> relation;
  private final Optional<Body> body;
  private final List<Output> outputs;

  private Step(
      long number,
      List<Step> inputs,
      Optional<Relation> relation,
      Optional<Body> body,
      List<Output> outputs) {
    this.number = number;
    this.inputs = List.copyOf(inputs);
    this.relation = relation;
    this.body = body;
    this.outputs = outputs.stream().map(o -> o.in(number)).toList();
  }

  /** A stream or static table. */
  static Step of(long number, Relation relation, List<Output> outputs) {
    return new Step(number, List.of(), Optional.of(relation), Optional.empty(), outputs);
  }

  /**
   * A SELECT over other steps.
   *
   * @param number greater than the numbers of the inputs
   */
  static Step of(long number, List<Step> inputs, Body body, List<Output> outputs) {
    return new Step(number, inputs, Optional.empty(), Optional.of(body), outputs);
  }

  /** The same rows and columns under new descriptions. */
  Step withOutputs(List<Output> changed) {
    return new Step(number, inputs, relation, body, changed);
  }

  long number() {
    return number;
  }

  List<Step> inputs() {
    return inputs;
  }

  Optional<Relation> relation() {
    return relation;
  }

  /** The SELECT, of a step that is no stream or table. */
  Optional<Body> body() {
    return body;
  }

  List<Output> outputs() {
    return outputs;
  }

  /** Columns that need not be named. */
  List<Output> visible() {
    return outputs.stream().filter(o -> !o.isHidden()).toList();
  }

  boolean isStreaming() {
    return relation.map(Relation::isStream).orElse(false)
        || inputs.stream().anyMatch(Step::isStreaming);
  }
}

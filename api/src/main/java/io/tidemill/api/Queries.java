package io.tidemill.api;

import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.QueryAnalysis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Makes the steps of a session's queries, each checked when it is made. Thread-safe. */
final class Queries implements AutoCloseable {
  private final AtomicLong numbers = new AtomicLong();
  private final SqlParsing parsing = new SqlParsing();
  private final QueryAnalysis analysis = new QueryAnalysis();

  SqlParsing parsing() {
    return parsing;
  }

  Scope scope(Step step) {
    return Scope.of(step, parsing);
  }

  Scope joined(Step left, Step right) {
    return Scope.ofJoin(left, right, parsing);
  }

  /** A stream or table. */
  Step load(Relation relation) {
    List<Output> outputs = new ArrayList<>();
    for (Column column : relation.columns().visible().columns()) {
      outputs.add(Output.of(column.name(), column.name(), column.type()));
    }
    for (Column column : relation.columns().hidden().columns()) {
      outputs.add(Output.hidden(column.name(), column.type()));
    }
    return Step.of(numbers.incrementAndGet(), relation, outputs);
  }

  /**
   * A SELECT over other steps. Mistakes in names, types and syntax are errors.
   *
   * @param outputs its columns in order; their types are found out here
   */
  Step select(List<Step> inputs, Function<List<String>, String> select, List<Output> outputs) {
    Step untyped = Step.of(numbers.incrementAndGet(), inputs, select, outputs);
    Schema columns = columns(untyped);
    List<Output> typed = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      typed.add(outputs.get(i).typed(columns.columns().get(i).type()));
    }
    return untyped.withOutputs(typed);
  }

  /** Columns of a SELECT whose columns only the text knows. */
  Step select(List<Step> inputs, Function<List<String>, String> select) {
    long number = numbers.incrementAndGet();
    // A star is asked for first, since the columns are not known yet.
    Step all =
        Step.of(number, inputs, select, List.of(Output.of("*", Rendering.ALL, "")));
    List<Output> outputs =
        columns(all).columns().stream()
            .map(c -> Output.of(c.name(), c.name(), c.type()))
            .toList();
    return all.withOutputs(outputs);
  }

  private Schema columns(Step step) {
    Rendering rendering = new Rendering("query", step);
    return analysis.columns(rendering.job(List.of()), rendering.query(), rendering.schemas());
  }

  @Override
  public void close() {
    parsing.close();
    analysis.close();
  }
}

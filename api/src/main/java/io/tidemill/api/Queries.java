package io.tidemill.api;

import io.tidemill.local.StaticQueries;
import io.tidemill.protocol.schema.Column;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.query.compile.QueryAnalysis;
import io.tidemill.query.job.JobFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

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

  /** Columns of both sides of a join, whose tables are called l and r. */
  Scope scopeOfJoin(Step left, Step right) {
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
  Step select(List<Step> inputs, Body body, List<Output> outputs) {
    Step untyped = Step.of(numbers.incrementAndGet(), inputs, body, outputs);
    Schema columns = columns(untyped);
    List<Output> typed = new ArrayList<>();
    for (int i = 0; i < outputs.size(); i++) {
      typed.add(outputs.get(i).typed(columns.columns().get(i).type()));
    }
    return untyped.withOutputs(typed);
  }

  /** A SELECT of the program, which alone knows its columns. */
  Step select(SqlQuery query) {
    Step all =
        Step.of(
            numbers.incrementAndGet(),
            query.steps(),
            query,
            List.of(Output.of(Rendering.ALL, Rendering.ALL, "")));
    return all.withOutputs(
        columns(all).columns().stream().map(c -> Output.of(c.name(), c.name(), c.type())).toList());
  }

  /** All rows of a step over static tables. */
  List<Row> collect(Step step, StaticQueries statics, long nowMillis) {
    Rendering rendering = new Rendering("query", step);
    JobFile job = rendering.job(List.of());
    String sql = analysis.staticText(job, rendering.query(), rendering.schemas());
    List<Column> columns = new ArrayList<>();
    List<Column> named = new ArrayList<>();
    for (Output output : step.visible()) {
      columns.add(Column.of(output.sqlName(), output.type()));
      named.add(Column.of(output.name(), output.type()));
    }
    Schema schema = new Schema(named);
    return statics.rows(sql, new Schema(columns), rendering.tables(), nowMillis).stream()
        .map(values -> Row.of(schema, values))
        .toList();
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

package io.tidemill.function;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.engine.Duck;
import io.tidemill.protocol.QueryId;
import io.tidemill.protocol.task.TaskRequest;
import io.tidemill.protocol.task.TaskResult;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SinkPlan;
import io.tidemill.storage.Blob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stages rows for the sinks of one query; writers stay open between tasks. */
final class SinkWriting implements AutoCloseable {
  private final QueryPlan plan;
  private final Connectors connectors;
  private final Blob checkpoint;
  private final Duck duck;
  private final Scratch scratch;
  private final Map<Integer, SinkWriter> writers = new HashMap<>();

  SinkWriting(QueryPlan plan, Connectors connectors, Blob checkpoint, Duck duck, Scratch scratch) {
    this.plan = plan;
    this.connectors = connectors;
    this.checkpoint = checkpoint;
    this.duck = duck;
    this.scratch = scratch;
  }

  /** Stages a table's rows; one output, or none for no rows. */
  List<TaskResult.SinkOutput> write(int sink, String table, TaskRequest request) {
    SinkPlan target = plan.sinks().get(sink);
    SinkWriter writer = writers.computeIfAbsent(sink, i -> open(target, request.batch().query()));
    Optional<JsonNode> output =
        writer.write(
            duck.connection(),
            table,
            request.task(),
            request.attempt(),
            target.mode(),
            scratch.fresh("task"));
    return output.map(o -> List.of(new TaskResult.SinkOutput(sink, o))).orElse(List.of());
  }

  private SinkWriter open(SinkPlan sink, QueryId query) {
    Options options = SourceReading.options(sink.connector());
    return connectors
        .sink(sink.connector().connector(), options)
        .writer(options, sink.rows(), new SinkContext(query, plan.name(), checkpoint));
  }

  @Override
  public void close() {
    writers.values().forEach(SinkWriter::close);
  }
}

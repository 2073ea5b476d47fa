package io.tidemill.connectors.noop;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.protocol.AttemptId;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import io.tidemill.protocol.task.TaskId;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.duckdb.DuckDBConnection;

/** The sink {@code noop}: discards all rows. */
public final class NoopSinkConnector implements SinkConnector {
  @Override
  public String name() {
    return "noop";
  }

  @Override
  public void validate(Options options, Schema rows) {
    options.check(List.of("mode"));
  }

  @Override
  public Set<OutputMode> modes() {
    return EnumSet.allOf(OutputMode.class);
  }

  @Override
  public Guarantee guarantee(Options options) {
    return Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public SinkWriter writer(Options options, Schema rows, SinkContext context) {
    return new SinkWriter() {
      @Override
      public Optional<JsonNode> write(
          DuckDBConnection db,
          String table,
          TaskId task,
          AttemptId attempt,
          OutputMode mode,
          Path scratch) {
        return Optional.empty();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
    return new SinkPublisher() {
      @Override
      public void publish(
          Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {}

      @Override
      public void close() {}
    };
  }
}

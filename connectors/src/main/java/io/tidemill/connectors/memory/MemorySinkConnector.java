package io.tidemill.connectors.memory;

import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.connectors.SinkWriter;
import io.tidemill.connectors.staged.StagedReader;
import io.tidemill.connectors.staged.StagedWriter;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.protocol.schema.Schema;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The sink {@code memory}: keeps rows in a {@link MemoryTable} under the query's name, or under the
 * option {@code name}. For tests and the Java API; rows do not outlive the process.
 */
public final class MemorySinkConnector implements SinkConnector {
  private final MemoryTables tables;

  public MemorySinkConnector(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public void validate(Options options, Schema rows) {
    options.check(List.of("name", "mode"));
  }

  @Override
  public Set<OutputMode> modes() {
    return EnumSet.allOf(OutputMode.class);
  }

  @Override
  public Guarantee guarantee(Options options) {
    return Guarantee.EXACTLY_ONCE_BY_CONDITION;
  }

  @Override
  public SinkWriter writer(Options options, Schema rows, SinkContext context) {
    return new StagedWriter(context.checkpoint(), options.owner(), rows);
  }

  @Override
  public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
    MemoryTable table = tables.open(options.text("name", context.queryName()));
    table.open(context.query(), rows);
    return new Publisher(new StagedReader(context.checkpoint(), options.owner(), rows), table);
  }

  private record Publisher(StagedReader staged, MemoryTable table) implements SinkPublisher {
    @Override
    public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
      if (!table.has(timeline, batch)) {
        // Staged rows that are gone went with the process that published them, like its table.
        staged
            .values(outputs)
            .ifPresent(v -> table.add(timeline, batch, v, mode == OutputMode.COMPLETE));
      }
      staged.published(timeline, batch, outputs);
    }

    @Override
    public void close() {
      staged.close();
    }
  }
}

package io.tidemill.api.foreach;

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
 * The sink {@code foreach-batch}: hands each batch to a function of the program, after the commit
 * and, if the process dies, once more. Batches without rows are not handed over.
 */
public final class ForeachBatchConnector implements SinkConnector {
  /** Its name. */
  public static final String NAME = "foreach-batch";

  /** Option that names the function. */
  public static final String FUNCTION = "function";

  private final BatchFunctions functions;

  public ForeachBatchConnector(BatchFunctions functions) {
    this.functions = functions;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void validate(Options options, Schema rows) {
    options.check(List.of(FUNCTION));
    options.required(FUNCTION);
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
    return new StagedWriter(context.checkpoint(), options.owner(), rows);
  }

  @Override
  public SinkPublisher publisher(Options options, Schema rows, SinkContext context) {
    return new Publisher(
        functions,
        options.required(FUNCTION),
        rows,
        new StagedReader(context.checkpoint(), options.owner(), rows));
  }

  private record Publisher(
      BatchFunctions functions, String function, Schema rows, StagedReader staged)
      implements SinkPublisher {
    @Override
    public void publish(Timeline timeline, BatchId batch, OutputMode mode, List<Staged> outputs) {
      // Staged rows are removed when the function has had them, so that they come no third time.
      staged
          .values(outputs)
          .ifPresent(values -> functions.call(function, rows, values, batch.value()));
      staged.published(timeline, batch, outputs);
    }

    @Override
    public void close() {
      staged.close();
    }
  }
}

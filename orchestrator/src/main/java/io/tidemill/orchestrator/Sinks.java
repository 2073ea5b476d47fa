package io.tidemill.orchestrator;

import io.tidemill.checkpoint.Publication;
import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkContext;
import io.tidemill.connectors.SinkPublisher;
import io.tidemill.protocol.BatchId;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.Timeline;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SinkPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The publishing sides of a query's sinks: its own first, then dead-letter sinks. Opened once there
 * is something for them to do, for it costs requests to look whether a target can be written.
 */
final class Sinks implements AutoCloseable {
  private final List<SinkPlan> plans;
  private final Connectors connectors;
  private final SinkContext context;
  private List<SinkPublisher> publishers = List.of();
  private boolean isOpen;

  Sinks(QueryPlan plan, Connectors connectors, SinkContext context) {
    this.plans = plan.sinks();
    this.connectors = connectors;
    this.context = context;
  }

  /** Opens all sinks unless they are open; fails if one cannot be written. */
  void open() {
    if (isOpen) {
      return;
    }
    List<SinkPublisher> opened = new ArrayList<>();
    try {
      for (SinkPlan sink : plans) {
        ConnectorSpec spec = sink.connector();
        Options options = new Options(spec.owner(), spec.options(), spec.origins());
        opened.add(
            connectors.sink(spec.connector(), options).publisher(options, sink.rows(), context));
      }
    } catch (RuntimeException e) {
      throw Closing.allBecauseOf(e, opened);
    }
    publishers = List.copyOf(opened);
    isOpen = true;
  }

  /**
   * What there is to publish of a batch; nothing if it emitted nothing, except in complete mode,
   * where an empty result replaces the one before.
   */
  static Optional<Publication> publication(QueryPlan plan, List<Publication.Output> outputs) {
    return outputs.isEmpty() && plan.mode() != OutputMode.COMPLETE
        ? Optional.empty()
        : Optional.of(new Publication(outputs));
  }

  /** Shows a committed batch in all sinks. May be repeated. */
  void publish(Timeline timeline, BatchId batch, Publication publication) {
    open();
    for (int i = 0; i < publishers.size(); i++) {
      int sink = i;
      OutputMode mode = plans.get(i).mode();
      List<SinkPublisher.Staged> staged =
          publication.outputs().stream()
              .filter(o -> o.sink() == sink)
              .map(o -> new SinkPublisher.Staged(o.task(), o.output()))
              .toList();
      if (!staged.isEmpty() || mode == OutputMode.COMPLETE) {
        publishers.get(i).publish(timeline, batch, mode, staged);
      }
    }
  }

  @Override
  public void close() {
    Closing.all(publishers);
  }
}

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

/** The publishing sides of a query's sinks: its own first, then dead-letter sinks. */
final class Sinks implements AutoCloseable {
  private final List<SinkPlan> plans;
  private final List<SinkPublisher> publishers;

  private Sinks(List<SinkPlan> plans, List<SinkPublisher> publishers) {
    this.plans = plans;
    this.publishers = publishers;
  }

  static Sinks open(QueryPlan plan, Connectors connectors, SinkContext context) {
    List<SinkPublisher> opened = new ArrayList<>();
    try {
      for (SinkPlan sink : plan.sinks()) {
        ConnectorSpec spec = sink.connector();
        Options options = new Options(spec.owner(), spec.options(), spec.origins());
        opened.add(
            connectors.sink(spec.connector(), options).publisher(options, sink.rows(), context));
      }
      return new Sinks(plan.sinks(), List.copyOf(opened));
    } catch (RuntimeException e) {
      throw Closing.allBecauseOf(e, opened);
    }
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

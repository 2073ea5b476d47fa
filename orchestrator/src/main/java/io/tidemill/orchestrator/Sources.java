package io.tidemill.orchestrator;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.Source;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.source.SourcePosition;
import io.tidemill.query.plan.ConnectorSpec;
import io.tidemill.query.plan.QueryPlan;
import io.tidemill.query.plan.SourcePlan;
import io.tidemill.storage.Blob;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The planning sides of a query's sources, by their index in the plan. */
final class Sources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sources.class);

  private final List<Source> sources;

  private Sources(List<Source> sources) {
    this.sources = sources;
  }

  static Sources open(QueryPlan plan, Connectors connectors, Blob checkpoint, Ids ids) {
    List<Source> opened = new ArrayList<>();
    try {
      for (SourcePlan source : plan.sources()) {
        ConnectorSpec spec = source.connector();
        Options options = new Options(spec.owner(), spec.options(), spec.origins());
        opened.add(
            connectors
                .source(spec.connector(), options)
                .open(
                    options,
                    source.declared(),
                    new CheckpointSourceLog(checkpoint, ids, source.index())));
      }
      return new Sources(List.copyOf(opened));
    } catch (RuntimeException e) {
      throw Closing.allBecauseOf(e, opened);
    }
  }

  int count() {
    return sources.size();
  }

  Source get(int index) {
    return sources.get(index);
  }

  List<SourcePosition> initial() {
    return sources.stream().map(Source::initial).toList();
  }

  /**
   * Tells each source how far the query is committed. A source that cannot clean up is told again
   * after the next batch, with a position that covers this one, so its failure stops nothing.
   */
  void committed(List<SourcePosition> positions) {
    for (int i = 0; i < sources.size(); i++) {
      try {
        sources.get(i).committed(positions.get(i));
      } catch (RuntimeException e) {
        LOG.warn(
            "{} could not clean up behind the committed position; it will be asked again after"
                + " the next batch",
            sources.get(i).description(),
            e);
      }
    }
  }

  @Override
  public void close() {
    Closing.all(sources);
  }
}

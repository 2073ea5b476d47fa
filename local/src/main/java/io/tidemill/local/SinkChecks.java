package io.tidemill.local;

import io.tidemill.connectors.Connectors;
import io.tidemill.connectors.Options;
import io.tidemill.connectors.SinkConnector;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import io.tidemill.query.plan.SinkPlan;
import java.util.stream.Collectors;

/** Checks a sink of a plan: its options, and that it can take the query's output mode. */
final class SinkChecks {
  private SinkChecks() {}

  static void check(SinkPlan sink, Connectors connectors) {
    Options options = LocalJob.options(sink);
    SinkConnector connector = connectors.sink(sink.connector().connector(), options);
    connector.validate(options, sink.rows());
    if (!connector.modes().contains(sink.mode())) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "A "
                  + connector.name()
                  + " sink does not take output mode "
                  + sink.mode().text()
                  + "; it takes "
                  + connector.modes().stream()
                      .sorted()
                      .map(OutputMode::text)
                      .collect(Collectors.joining(", "))
                  + ".")
          .with("sink", sink.name())
          .with("at", sink.connector().origins().getOrDefault("connector", sink.name()));
    }
  }
}

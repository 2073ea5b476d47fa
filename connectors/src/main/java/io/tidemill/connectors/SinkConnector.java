package io.tidemill.connectors;

import io.tidemill.protocol.Guarantee;
import io.tidemill.protocol.OutputMode;
import io.tidemill.protocol.schema.Schema;
import java.util.Set;

/** A kind of sink, named in {@code connector = '…'}. Stateless and thread-safe. */
public interface SinkConnector {
  String name();

  /** Checks options and the columns written, without connecting to anything. */
  void validate(Options options, Schema rows);

  Set<OutputMode> modes();

  Guarantee guarantee(Options options);

  /** Opens the function's side. */
  SinkWriter writer(Options options, Schema rows, SinkContext context);

  /**
   * Opens the orchestrator's side. Fails with {@code NOT_WRITABLE} if the target cannot be written.
   * A query calls it when it is new, else once a run has a batch to run or to publish: a run with
   * nothing to do must not cost a request.
   */
  SinkPublisher publisher(Options options, Schema rows, SinkContext context);
}

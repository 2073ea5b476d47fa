package io.tidemill.api;

import io.tidemill.orchestrator.StreamingQuery;

/** What happens to a query that a program starts. */
interface Launcher extends AutoCloseable {
  StreamingQuery launch(PlannedQuery query);

  @Override
  void close();
}

package io.tidemill.api;

import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.util.ArrayList;
import java.util.List;

/** Keeps the queries that a program starts, for somebody else to run. */
final class CollectedQueries implements Launcher {
  private final List<PlannedQuery> queries = new ArrayList<>();

  @Override
  public StreamingQuery launch(PlannedQuery query) {
    String name = query.plan().name();
    if (queries.stream().anyMatch(q -> q.plan().name().equalsIgnoreCase(name))) {
      throw new TidemillException(
              ErrorCode.ILLEGAL_QUERY,
              "Two queries have the same name; give one another queryName.")
          .with("name", name);
    }
    queries.add(query);
    return new DeferredQuery(name);
  }

  List<PlannedQuery> queries() {
    return List.copyOf(queries);
  }

  @Override
  public void close() {}
}

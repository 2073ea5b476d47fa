package io.tidemill.api;

import io.tidemill.orchestrator.StreamingQuery;
import io.tidemill.protocol.Ids;
import io.tidemill.protocol.error.ErrorCode;
import io.tidemill.protocol.error.TidemillException;
import java.nio.file.Path;

/** Runs queries in this process. */
final class LocalLauncher implements Launcher {
  private final StreamingQueries queries;
  private final Path scratch;
  private final Ids ids;

  LocalLauncher(StreamingQueries queries, Path scratch, Ids ids) {
    this.queries = queries;
    this.scratch = scratch;
    this.ids = ids;
  }

  @Override
  public StreamingQuery launch(PlannedQuery query) {
    String passing = scratch.resolve("checkpoint-" + ids.next()).toString();
    return queries.start(query, query.checkpoint().orElse(passing));
  }

  @Override
  public void close() {
    try {
      queries.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TidemillException(
          ErrorCode.INTERNAL, "The session was interrupted while its queries ended.", e);
    }
  }
}

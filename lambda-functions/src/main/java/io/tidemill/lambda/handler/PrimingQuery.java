package io.tidemill.lambda.handler;

import io.tidemill.lambda.platform.Platform;
import io.tidemill.local.LocalJob;
import io.tidemill.local.LocalQuery;
import io.tidemill.orchestrator.RunSpec;
import io.tidemill.query.job.JobText;
import io.tidemill.query.job.Variables;
import io.tidemill.query.plan.QueryPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A query over two rows that goes through most of the code and leaves nothing behind. */
final class PrimingQuery {
  private static final String JOB =
      """
      CREATE STREAM primed (
        k VARCHAR NOT NULL, v DECIMAL(18,2) NOT NULL, t TIMESTAMP NOT NULL,
        WATERMARK FOR t AS t - INTERVAL 1 MINUTE
      ) WITH (connector = 'json', path = '${DIR}/in');
      CREATE SINK result WITH (connector = 'parquet', path = '${DIR}/out');
      SET trigger = 'available-now';
      INSERT INTO result
      SELECT window_start, k, sum(v) AS total, count(*) AS rows
      FROM TUMBLE(primed, t, INTERVAL 1 MINUTE)
      GROUP BY window_start, k;
      """;

  private static final String ROWS =
      """
      {"k":"a","v":1.25,"t":"2026-01-01T00:00:00Z"}
      {"k":"b","v":2.50,"t":"2026-01-01T01:00:00Z"}
      """;

  private PrimingQuery() {}

  static void run(Platform platform) throws IOException {
    Path directory = platform.scratch().resolve("priming");
    Files.createDirectories(directory.resolve("in"));
    Files.writeString(directory.resolve("in/rows.json"), ROWS);
    QueryPlan plan =
        LocalJob.compile(
                new JobText("priming.sql", JOB),
                new Variables(Map.of("DIR", directory.toString()), name -> null),
                platform.connectors())
            .get(0);
    LocalQuery.Machine machine =
        new LocalQuery.Machine(
            platform.connectors(),
            1,
            platform.functions(),
            directory.resolve("scratch"),
            platform.clock(),
            platform.ids());
    try (LocalQuery query =
        LocalQuery.open(RunSpec.of(plan), directory.resolve("checkpoint"), machine)) {
      query.run().run();
    }
    remove(directory);
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    }
  }
}

package io.tidemill.benchmarks.revenue;

import io.tidemill.benchmarks.harness.Contender;
import java.nio.file.Path;
import java.util.List;

/** Tidemill, through its command. */
final class TidemillRevenue implements Contender<RevenueJob> {
  private final Path root;

  /**
   * @param root the project's directory
   */
  TidemillRevenue(Path root) {
    this.root = root;
  }

  @Override
  public String name() {
    return "tidemill";
  }

  @Override
  public List<String> command(RevenueJob job, Path directory) {
    return List.of(
        root.resolve("tidemill").toString(),
        "run",
        root.resolve("benchmarks/jobs/windowed-revenue.sql").toString(),
        "--json",
        "--set",
        "BOOTSTRAP=" + job.bootstrapServers(),
        "--set",
        "TOPIC=" + job.topic(),
        "--set",
        "BATCH_RECORDS=" + job.batchRecords(),
        "--set",
        "OUT=" + directory.resolve("out"),
        "--checkpoint",
        directory.resolve("checkpoint").toString());
  }
}

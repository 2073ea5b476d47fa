package io.tidemill.benchmarks;

import io.tidemill.benchmarks.coldstart.ColdStart;
import io.tidemill.benchmarks.harness.BrokerProcess;
import io.tidemill.benchmarks.harness.Comparison;
import io.tidemill.benchmarks.harness.Environment;
import io.tidemill.benchmarks.harness.Workbench;
import io.tidemill.benchmarks.revenue.RevenueSizes;
import io.tidemill.benchmarks.revenue.WindowedRevenue;
import io.tidemill.protocol.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command behind {@code benchmarks/run}. */
@Command(
    name = "benchmarks/run",
    description = "Measures Tidemill and other engines side by side, and checks their results.",
    mixinStandardHelpOptions = true,
    subcommandsRepeatable = false)
public final class BenchmarksMain {
  private BenchmarksMain() {}

  /** Exit codes: 0 measured and correct, 1 not correct or failed, 2 wrong usage. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new BenchmarksMain())
            .addSubcommand(new WindowedRevenueCommand())
            .addSubcommand(new ColdStartCommand())
            .setOverwrittenOptionsAllowed(true)
            .execute(arguments));
  }

  /** Options of the windowed revenue comparison. */
  @Command(
      name = "windowed-revenue",
      description = "Kafka to windowed aggregate to Parquet, against Spark 4.2 local[2].",
      mixinStandardHelpOptions = true,
      showDefaultValues = true)
  static final class WindowedRevenueCommand implements Callable<Integer> {
    @Option(names = "--records", description = "Orders of the backlog.")
    private long records = 4_000_000;

    @Option(names = "--small-batches", description = "Batches of 2,000 records to measure.")
    private long smallBatches = 100;

    @Option(names = "--runs", description = "Runs of Tidemill per scenario; 0 leaves it out.")
    private int runs = 3;

    @Option(
        names = "--spark-runs",
        description = "Runs of Spark per scenario and state store; 0 leaves it out.")
    private int sparkRuns = 2;

    @Option(names = "--root", hidden = true, required = true)
    private Path root;

    @Option(names = "--directory", required = true, description = "Where everything is written.")
    private Path directory;

    @Override
    public Integer call() throws Exception {
      return compare(
          new WindowedRevenue(new RevenueSizes(records, smallBatches, runs, sparkRuns)),
          root.toAbsolutePath(),
          directory.toAbsolutePath());
    }
  }

  /** Options of the cold start comparison. */
  @Command(
      name = "cold-start",
      description =
          "The first batch through fresh function processes, against Spark 4.2 local[2] from its"
              + " start.",
      mixinStandardHelpOptions = true,
      showDefaultValues = true)
  static final class ColdStartCommand implements Callable<Integer> {
    @Option(names = "--records", description = "Orders of the batch.")
    private long records = 10_000;

    @Option(names = "--runs", description = "Runs of Tidemill.")
    private int runs = 5;

    @Option(names = "--spark-runs", description = "Runs of Spark.")
    private int sparkRuns = 3;

    @Option(names = "--root", hidden = true, required = true)
    private Path root;

    @Option(names = "--directory", required = true, description = "Where everything is written.")
    private Path directory;

    @Override
    public Integer call() throws Exception {
      return compare(
          new ColdStart(records, runs, sparkRuns),
          root.toAbsolutePath(),
          directory.toAbsolutePath());
    }
  }

  private static int compare(Comparison comparison, Path root, Path directory) throws Exception {
    Files.createDirectories(directory);
    Environment.lines().forEach(System.out::println);
    try (BrokerProcess broker = BrokerProcess.start(directory)) {
      Map<String, Object> figures =
          comparison.run(new Workbench(root, directory, broker, System.out));
      System.out.println(Json.MAPPER.writeValueAsString(figures));
      return Boolean.TRUE.equals(figures.get("correct")) ? 0 : 1;
    }
  }
}

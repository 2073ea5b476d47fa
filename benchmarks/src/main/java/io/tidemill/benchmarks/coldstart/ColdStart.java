package io.tidemill.benchmarks.coldstart;

import io.tidemill.benchmarks.harness.Comparison;
import io.tidemill.benchmarks.harness.FirstCommits;
import io.tidemill.benchmarks.harness.Spread;
import io.tidemill.benchmarks.harness.Workbench;
import io.tidemill.benchmarks.revenue.RevenueJob;
import io.tidemill.benchmarks.revenue.RevenueResult;
import io.tidemill.benchmarks.revenue.SparkRevenue;
import io.tidemill.benchmarks.revenue.StateStore;
import io.tidemill.benchmarks.revenue.WindowedRevenue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The first batch with nothing running: through the packaged functions as Lambda's runtime client
 * starts them, and in Spark from the start of its process.
 */
public final class ColdStart implements Comparison {
  private static final String TOPIC = "orders-cold";

  private final long records;
  private final int tidemillRuns;
  private final int sparkRuns;

  /**
   * @param records orders of the batch; so few that it is one task
   */
  public ColdStart(long records, int tidemillRuns, int sparkRuns) {
    this.records = records;
    this.tidemillRuns = tidemillRuns;
    this.sparkRuns = sparkRuns;
  }

  @Override
  public String name() {
    return "cold-start";
  }

  @Override
  public Map<String, Object> run(Workbench bench) throws IOException, InterruptedException {
    WindowedRevenue.produce(bench, TOPIC, records);
    RevenueJob job = new RevenueJob(bench.bootstrapServers(), TOPIC, records);
    SparkRevenue spark =
        new SparkRevenue(bench.root().resolve("benchmarks/spark"), StateStore.MEMORY);
    ColdFunctions functions = new ColdFunctions(bench);
    // Once without measuring, so that no side pays for files that were never read.
    Path checked = directory(bench, 0);
    functions.run(job, true, "available-now", checked);
    bench.warmUp(spark, job);
    Series published = new Series(bench, "with snapshot");
    Series unpublished = new Series(bench, "without");
    for (int run = 1; run <= tidemillRuns; run++) {
      published.add(functions.run(job, true, "once", directory(bench, 2 * run)));
      unpublished.add(functions.run(job, false, "once", directory(bench, 2 * run + 1)));
    }
    FirstCommits commits = bench.firstCommits(name(), spark, job, sparkRuns);
    boolean correct = check(bench, checked.resolve("out"), commits.output());
    return figures(correct, published, unpublished, commits.seconds().median());
  }

  /** Cold runs of one kind. */
  private static final class Series {
    private final Workbench bench;
    private final String kind;
    private final List<Double> function = new ArrayList<>();
    private final List<Double> batch = new ArrayList<>();

    Series(Workbench bench, String kind) {
      this.bench = bench;
      this.kind = kind;
    }

    void add(ColdRun run) {
      function.add(run.functionSeconds());
      batch.add(run.batchSeconds());
      bench.say(
          "  %-16s run %d  function %5.2f s  batch %5.2f s",
          kind, function.size(), run.functionSeconds(), run.batchSeconds());
    }

    double functionSeconds() {
      return Spread.of(function).median();
    }

    double batchSeconds() {
      return Spread.of(batch).median();
    }
  }

  private Path directory(Workbench bench, int run) throws IOException {
    return Files.createDirectories(bench.directory().resolve(name()).resolve("tidemill-" + run));
  }

  private static Map<String, Object> figures(
      boolean correct, Series published, Series unpublished, double spark) {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("benchmark", "cold-start");
    figures.put("correct", correct);
    figures.put("functionRatio", rounded(spark / published.functionSeconds()));
    figures.put("batchRatio", rounded(spark / published.batchSeconds()));
    figures.put("functionRatioWithoutSnapshot", rounded(spark / unpublished.functionSeconds()));
    figures.put("batchRatioWithoutSnapshot", rounded(spark / unpublished.batchSeconds()));
    figures.put("tidemillFunctionSeconds", rounded(published.functionSeconds()));
    figures.put("tidemillBatchSeconds", rounded(published.batchSeconds()));
    figures.put("tidemillBatchSecondsWithoutSnapshot", rounded(unpublished.batchSeconds()));
    figures.put("sparkBatchSeconds", rounded(spark));
    return figures;
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }

  /** In one batch no order is late, so the generator's totals do not hold: Spark's result does. */
  private static boolean check(Workbench bench, Path tidemill, Path spark) throws IOException {
    try {
      long rows = RevenueResult.count(tidemill);
      long differences = RevenueResult.differences(tidemill, spark);
      bench.say("  %,d rows, of which %,d differ from Spark's", rows, differences);
      return rows > 0 && differences == 0;
    } catch (SQLException e) {
      throw new IOException("A result could not be read back", e);
    }
  }
}

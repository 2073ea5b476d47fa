package io.tidemill.benchmarks.revenue;

import io.tidemill.benchmarks.harness.Comparison;
import io.tidemill.benchmarks.harness.Contender;
import io.tidemill.benchmarks.harness.Measured;
import io.tidemill.benchmarks.harness.Spread;
import io.tidemill.benchmarks.harness.Workbench;
import io.tidemill.demo.Defect;
import io.tidemill.demo.ExpectedRevenue;
import io.tidemill.demo.OrdersProducer;
import io.tidemill.demo.OrdersSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * Revenue per customer and window of five minutes, from Kafka to Parquet, with checkpoints, against
 * Spark: a backlog in large batches, and the same query in small ones.
 */
public final class WindowedRevenue implements Comparison {
  private static final long LARGE_BATCH = 500_000;
  private static final long SMALL_BATCH = 2_000;
  private static final int DRAIN_RUNS = 3;

  /** What both engines call malformed: Spark rounds an amount of three decimals. */
  private static final EnumSet<Defect> DEFECTS =
      EnumSet.of(Defect.BROKEN_JSON, Defect.WRONG_TYPE, Defect.MISSING_FIELD);

  private final RevenueSizes sizes;

  public WindowedRevenue(RevenueSizes sizes) {
    this.sizes = sizes;
  }

  @Override
  public String name() {
    return "windowed-revenue";
  }

  @Override
  public Map<String, Object> run(Workbench bench) throws IOException, InterruptedException {
    ExpectedRevenue large = produce(bench, "orders", sizes.records());
    ExpectedRevenue small = produce(bench, "orders-small", sizes.smallBatches() * SMALL_BATCH);
    Spread drain =
        new RawDrain(bench, bench.directory()).measure("orders", large.records(), DRAIN_RUNS);
    bench.say("Raw drain with two threads, cold JVM: %s rows/s", drain.text("%,.0f"));

    long largeBatch = Math.min(LARGE_BATCH, OrdersSettings.of(sizes.records()).batchRecordsMax());
    RevenueJob largeJob = new RevenueJob(bench.bootstrapServers(), "orders", largeBatch);
    RevenueJob smallJob = new RevenueJob(bench.bootstrapServers(), "orders-small", SMALL_BATCH);
    warmUp(bench, new RevenueJob(bench.bootstrapServers(), "orders-small", LARGE_BATCH));
    Sides backlog = measure(bench, "backlog", largeJob);
    Sides trickle = measure(bench, "small-batches", smallJob);
    boolean backlogCorrect = check(bench, backlog, large);
    boolean trickleCorrect = check(bench, trickle, small);
    return RevenueFigures.of(bench, backlog, trickle, drain, backlogCorrect && trickleCorrect);
  }

  /** Fills a topic with orders that both engines read alike. */
  public static ExpectedRevenue produce(Workbench bench, String topic, long records) {
    long start = System.nanoTime();
    OrdersSettings settings = OrdersSettings.of(records).withDefects(DEFECTS);
    ExpectedRevenue expected =
        new OrdersProducer(bench.bootstrapServers(), topic).produce(settings, sent -> {});
    double seconds = (System.nanoTime() - start) / 1e9;
    bench.say(
        "Produced %,d orders to %s in %.1f s: %,d malformed, %,d late, %,d duplicates",
        records, topic, seconds, expected.malformed(), expected.late(), expected.duplicates());
    return expected;
  }

  private Sides measure(Workbench bench, String scenario, RevenueJob job)
      throws IOException, InterruptedException {
    bench.say("%s: %,d records a batch", scenario, job.batchRecords());
    List<Measured> tidemill = new ArrayList<>();
    for (Contender<RevenueJob> contender : tidemill(bench)) {
      tidemill.add(bench.measure(scenario, contender, job, sizes.tidemillRuns()));
    }
    List<Measured> spark = new ArrayList<>();
    for (Contender<RevenueJob> contender : spark(bench)) {
      spark.add(bench.measure(scenario, contender, job, sizes.sparkRuns()));
    }
    return new Sides(tidemill, spark);
  }

  private List<Contender<RevenueJob>> tidemill(Workbench bench) {
    return sizes.tidemillRuns() == 0 ? List.of() : List.of(new TidemillRevenue(bench.root()));
  }

  private List<Contender<RevenueJob>> spark(Workbench bench) {
    List<Contender<RevenueJob>> contenders = new ArrayList<>();
    if (sizes.sparkRuns() > 0) {
      Path module = bench.root().resolve("benchmarks/spark");
      for (StateStore store : StateStore.values()) {
        contenders.add(new SparkRevenue(module, store));
      }
    }
    return contenders;
  }

  private void warmUp(Workbench bench, RevenueJob job) throws IOException, InterruptedException {
    for (Contender<RevenueJob> contender : tidemill(bench)) {
      bench.warmUp(contender, job);
    }
    for (Contender<RevenueJob> contender : spark(bench)) {
      bench.warmUp(contender, job);
    }
  }

  private static boolean check(Workbench bench, Sides sides, ExpectedRevenue expected)
      throws IOException {
    try {
      boolean correct = true;
      Path first = sides.all().get(0).output();
      for (Measured measured : sides.all()) {
        boolean expectedTotals = RevenueResult.isExpected(measured.output(), expected);
        long differences = RevenueResult.differences(first, measured.output());
        correct &= expectedTotals && differences == 0;
        bench.say(
            "  %-16s %s the generator's totals; %,d rows differ from %s",
            measured.contender(),
            expectedTotals ? "equals" : "DIFFERS FROM",
            differences,
            sides.all().get(0).contender());
      }
      return correct;
    } catch (SQLException e) {
      throw new IOException("A result could not be read back", e);
    }
  }
}

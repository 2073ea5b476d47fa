package io.tidemill.benchmarks.revenue;

import io.tidemill.benchmarks.harness.EngineRun;
import io.tidemill.benchmarks.harness.Measured;
import io.tidemill.benchmarks.harness.Spread;
import io.tidemill.benchmarks.harness.Workbench;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Medians side by side. Each figure of Spark is that of the state store which does best in it, and
 * every ratio is above 1 where Tidemill does better.
 */
final class RevenueFigures {
  private final Map<String, Object> figures = new LinkedHashMap<>();
  private final Workbench bench;
  private final Sides backlog;
  private final Sides trickle;

  private RevenueFigures(Workbench bench, Sides backlog, Sides trickle) {
    this.bench = bench;
    this.backlog = backlog;
    this.trickle = trickle;
  }

  static Map<String, Object> of(
      Workbench bench, Sides backlog, Sides trickle, Spread drain, boolean correct) {
    RevenueFigures result = new RevenueFigures(bench, backlog, trickle);
    result.figures.put("benchmark", "windowed-revenue");
    result.figures.put("correct", correct);
    result.ratios();
    result.raw(drain);
    return result.figures;
  }

  private void ratios() {
    ratio("throughputRatio", backlog, EngineRun::seconds);
    ratio("steadyThroughputRatio", backlog, run -> 1 / run.steadyRowsPerSecond());
    ratio("smallBatchRatio", trickle, EngineRun::batchMillis);
    ratio("firstCommitRatio", backlog, EngineRun::firstCommitSeconds);
    ratio("memoryRatio", backlog, EngineRun::peakResidentBytes);
  }

  private void ratio(String name, Sides sides, ToDoubleFunction<EngineRun> cost) {
    if (!sides.spark().isEmpty() && !sides.tidemill().isEmpty()) {
      double ratio = best(sides.spark(), cost) / best(sides.tidemill(), cost);
      figures.put(name, rounded(ratio));
    }
  }

  private void raw(Spread drain) {
    figures.put("drainRowsPerSecond", Math.round(drain.median()));
    side("tidemill", backlog.tidemill(), trickle.tidemill(), drain);
    side("spark", backlog.spark(), trickle.spark(), drain);
  }

  private void side(String name, List<Measured> large, List<Measured> small, Spread drain) {
    if (large.isEmpty()) {
      return;
    }
    double rate = -best(large, run -> -run.rowsPerSecond());
    figures.put(name + "RowsPerSecond", Math.round(rate));
    figures.put(
        name + "SteadyRowsPerSecond", Math.round(-best(large, run -> -run.steadyRowsPerSecond())));
    figures.put(name + "FirstCommitSeconds", rounded(best(large, EngineRun::firstCommitSeconds)));
    figures.put(name + "PeakBytes", Math.round(best(large, EngineRun::peakResidentBytes)));
    figures.put(name + "SmallBatchMillis", rounded(best(small, EngineRun::batchMillis)));
    figures.put(
        name + "SmallBatchReportedMillis", rounded(best(small, EngineRun::reportedBatchMillis)));
    figures.put(name + "DrainShare", rounded(rate / drain.median()));
    bench.say(
        "%s reads at %.0f %% of the raw drain: %.1f times slower",
        name, 100 * rate / drain.median(), drain.median() / rate);
    for (Measured measured : large) {
      bench.say(
          "  %-16s %s rows/s, peak %s MB",
          measured.contender(),
          measured.spread(EngineRun::rowsPerSecond).text("%,.0f"),
          measured.spread(run -> run.peakResidentBytes() / 1e6).text("%,.0f"));
    }
  }

  private static double best(List<Measured> measured, ToDoubleFunction<EngineRun> cost) {
    return measured.stream().map(m -> m.median(cost)).min(Comparator.naturalOrder()).orElseThrow();
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}

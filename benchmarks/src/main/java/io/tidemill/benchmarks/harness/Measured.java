package io.tidemill.benchmarks.harness;

import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The repeated runs of one contender over one job.
 *
 * @param contender the contender's name
 * @param runs at least one run
 * @param output where the last run's result is
 */
public record Measured(String contender, List<EngineRun> runs, Path output) {
  public Measured {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("measured means at least one run");
    }
  }

  /** How a figure came out over the runs. */
  public Spread spread(ToDoubleFunction<EngineRun> figure) {
    return Spread.of(runs.stream().map(figure::applyAsDouble).toList());
  }

  /** The median of a figure over the runs. */
  public double median(ToDoubleFunction<EngineRun> figure) {
    return spread(figure).median();
  }
}

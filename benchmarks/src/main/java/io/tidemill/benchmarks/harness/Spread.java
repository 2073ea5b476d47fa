package io.tidemill.benchmarks.harness;

import java.util.List;
import java.util.Locale;

/**
 * How one figure came out over several runs.
 *
 * @param min least
 * @param median middle one; the mean of the two middle ones if their number is even
 * @param max greatest
 * @param runs number of runs
 */
public record Spread(double min, double median, double max, int runs) {

  /** The spread of at least one figure. */
  public static Spread of(List<Double> figures) {
    if (figures.isEmpty()) {
      throw new IllegalArgumentException("a spread needs figures");
    }
    List<Double> sorted = figures.stream().sorted().toList();
    int n = sorted.size();
    double median = (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2;
    return new Spread(sorted.get(0), median, sorted.get(n - 1), n);
  }

  /** Median, and the bounds in brackets. */
  public String text(String format) {
    return String.format(Locale.ROOT, format, median)
        + String.format(Locale.ROOT, " [" + format + " .. " + format + "]", min, max);
  }
}

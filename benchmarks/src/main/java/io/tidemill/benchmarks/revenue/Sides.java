package io.tidemill.benchmarks.revenue;

import io.tidemill.benchmarks.harness.Measured;
import java.util.ArrayList;
import java.util.List;

/**
 * What one scenario measured; either side may have been left out.
 *
 * @param tidemill Tidemill's runs
 * @param spark Spark's, an element per state store
 */
record Sides(List<Measured> tidemill, List<Measured> spark) {
  Sides {
    tidemill = List.copyOf(tidemill);
    spark = List.copyOf(spark);
  }

  List<Measured> all() {
    List<Measured> all = new ArrayList<>(spark);
    all.addAll(tidemill);
    return all;
  }
}

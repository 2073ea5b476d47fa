package io.tidemill.benchmarks.harness;

import java.io.IOException;
import java.util.Map;

/** One benchmark: a case with its contenders. */
public interface Comparison {
  /** Name on the command line. */
  String name();

  /**
   * Runs it and prints as it goes.
   *
   * @return the figures of the last line, in order; {@code correct} is among them
   */
  Map<String, Object> run(Workbench bench) throws IOException, InterruptedException;
}

package io.tidemill.storage;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Runs a test over many seeds and names the seed that fails. */
public final class Seeds {
  private Seeds() {}

  /** One run of a test. */
  @FunctionalInterface
  public interface Run {
    void with(RandomGenerator random) throws Exception;
  }

  /** Runs seeds 1 to {@code count}, or only the one given by {@code -Dseed=}. */
  public static void each(int count, Run run) {
    Long only = Long.getLong("seed");
    long first = only == null ? 1 : only;
    long last = only == null ? count : only;
    for (long seed = first; seed <= last; seed++) {
      try {
        run.with(new SplittableRandom(seed));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("failed with -Dseed=" + seed + ": " + e.getMessage(), e);
      }
    }
  }
}

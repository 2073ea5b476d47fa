package io.tidemill.host;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Faults drawn from a seed: the n-th invocation of a function has the same fate in every run with
 * that seed. Thread-safe.
 */
public final class SeededFaults implements Faults {
  private final long seed;
  private final Rates rates;
  private final Map<String, SplittableRandom> randoms = new HashMap<>();

  /**
   * How often things go wrong, each from 0 to 1.
   *
   * @param workMax kills and freezes happen up to so long after the start of an invocation
   * @param freezeMax longest freeze
   */
  public record Rates(
      double throttled,
      double requestLost,
      double replyLost,
      double duplicated,
      double killed,
      double frozen,
      Duration workMax,
      Duration freezeMax) {
    public Rates {
      for (double rate :
          new double[] {throttled, requestLost, replyLost, duplicated, killed, frozen}) {
        if (rate < 0 || rate > 1) {
          throw new IllegalArgumentException("a rate must be from 0 to 1: " + rate);
        }
      }
    }
  }

  public SeededFaults(long seed, Rates rates) {
    this.seed = seed;
    this.rates = rates;
  }

  @Override
  public synchronized Fate next(String function) {
    SplittableRandom random =
        randoms.computeIfAbsent(function, f -> new SplittableRandom(seed ^ f.hashCode()));
    boolean throttled = random.nextDouble() < rates.throttled();
    boolean requestLost = random.nextDouble() < rates.requestLost();
    boolean replyLost = random.nextDouble() < rates.replyLost();
    boolean duplicated = random.nextDouble() < rates.duplicated();
    boolean killed = random.nextDouble() < rates.killed();
    boolean frozen = random.nextDouble() < rates.frozen();
    Duration killAt = upTo(random, rates.workMax());
    Duration freezeAt = upTo(random, rates.workMax());
    Duration freezeLength = upTo(random, rates.freezeMax());
    return new Fate(
        throttled,
        requestLost,
        replyLost,
        duplicated,
        killed ? Optional.of(killAt) : Optional.empty(),
        frozen ? Optional.of(new Fate.Freeze(freezeAt, freezeLength)) : Optional.empty());
  }

  private static Duration upTo(SplittableRandom random, Duration most) {
    return Duration.ofMillis(random.nextLong(most.toMillis() + 1));
  }
}

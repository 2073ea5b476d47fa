package io.tidemill.simulation;

import io.tidemill.storage.fault.Fault;
import io.tidemill.storage.fault.FaultSource;
import io.tidemill.storage.fault.SeededFaults;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** All randomness of a simulation, and what goes wrong because of it. */
final class Chance implements FaultSource {
  private static final double DEATH_RATE = 0.01;

  private final SplittableRandom random;
  private final SeededFaults storage;
  private boolean calm;

  Chance(long seed) {
    this.random = new SplittableRandom(seed);
    // Some simulations have good storage and see deaths only; some see storms.
    double[] rates = {0, 0.02, 0.1};
    this.storage = new SeededFaults(random, rates[random.nextInt(rates.length)]);
  }

  /** From here on nothing goes wrong. */
  void calmDown() {
    calm = true;
  }

  boolean isCalm() {
    return calm;
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  <T> List<T> shuffled(Collection<T> all) {
    List<T> list = new ArrayList<>(all);
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
    return list;
  }

  /** Called before each storage call of a process, which may be its last. */
  @Override
  public Fault next(Call call, String name) {
    if (calm) {
      return Fault.NONE;
    }
    if (random.nextDouble() < DEATH_RATE) {
      throw new Death();
    }
    return storage.next(call, name);
  }
}
